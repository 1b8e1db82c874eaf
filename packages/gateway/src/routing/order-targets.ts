import { createHash } from 'node:crypto';
import { priceUsage } from '../metering/price-usage.ts';
import type { Route } from './resolve-route.ts';
import { type Target, targetName } from './target.ts';
import type { TargetWatch } from './target-watch.ts';

/** One call in so many goes to another target than the fastest, so that each is measured now and then. */
const EXPLORED = 20;
/** What agents use for a step, more or less: prices of input and output are compared by it. */
const USUAL_CALL = { inputTokens: 20_000, outputTokens: 1_000 };

/**
 * The targets of a route in the order in which its policy prefers them, whether they rest or not. For a conversation all servers
 * draw the same, so that it stays where its prompt is cached.
 */
export function orderTargets(route: Route, watch: TargetWatch, conversation?: string): readonly Target[] {
  const { targets, policy } = route;
  const random = conversation === undefined ? watch.random : drawsFor(conversation);
  if (targets.length === 1) return targets;
  switch (policy) {
    case 'order':
      return targets;
    case 'weight':
      return drawTargets(targets, (target) => route.weights[targetName(target)] ?? 1, random);
    case 'fastest':
      return fastestFirst(targets, watch, random);
    case 'cheapest':
      return sortBy(targets, (target) => priceUsage(USUAL_CALL, target)?.dollars ?? Infinity);
  }
}

/** Numbers from 0 up to 1 that look random, and are the same for the same conversation. */
function drawsFor(conversation: string): () => number {
  const bytes = createHash('sha256').update(conversation).digest();
  let at = 0;
  return () => {
    const drawn = bytes.readUInt32BE(at) / 2 ** 32;
    at = (at + 4) % bytes.length;
    return drawn;
  };
}

/** Each place is drawn from those that are left; those without weight come last, in their order. */
function drawTargets(
  targets: readonly Target[],
  weightOf: (target: Target) => number,
  random: () => number,
): readonly Target[] {
  const left = targets.filter((target) => weightOf(target) > 0);
  const drawn: Target[] = [];
  while (left.length > 0) {
    let place = random() * left.reduce((sum, target) => sum + weightOf(target), 0);
    let index = left.findIndex((target) => (place -= weightOf(target)) < 0);
    if (index < 0) index = left.length - 1;
    drawn.push(...left.splice(index, 1));
  }
  return [...drawn, ...targets.filter((target) => weightOf(target) <= 0)];
}

/** Those that were not measured lately come first, to be measured. */
function fastestFirst(
  targets: readonly Target[],
  { beginTimes }: TargetWatch,
  random: () => number,
): readonly Target[] {
  const sorted = sortBy(targets, (target) => beginTimes.of(targetName(target)) ?? -1);
  const drawn = Math.floor(random() * EXPLORED * (targets.length - 1));
  if (drawn >= targets.length - 1) return sorted;
  const explored = sorted[drawn + 1]!;
  return [explored, ...sorted.filter((target) => target !== explored)];
}

/** Targets that are alike keep the order in which they are configured. */
function sortBy(targets: readonly Target[], measure: (target: Target) => number): readonly Target[] {
  const measured = targets.map((target) => ({ target, value: measure(target) }));
  return measured
    .sort((one, other) => (one.value === other.value ? 0 : one.value - other.value))
    .map(({ target }) => target);
}
