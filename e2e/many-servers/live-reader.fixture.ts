import { createHubClient, type LoggedHubEvent } from '@dragoman/protocol';
import { follow, type Reader } from '../two-hubs.fixture.ts';
import type { FaultKind } from './faults.fixture.ts';
import type { ManyServers } from './many-servers.fixture.ts';

/** A time without a live stream, and what went wrong last when it began. */
interface Gap {
  ms: number;
  after: FaultKind | 'start';
}

/** Somebody who follows a session through the proxy, with the times that browsers have. */
export interface LiveReader extends Reader {
  readonly isLive: boolean;
  readonly gaps: readonly Gap[];
}

/** Follows a session until the test is over, and measures for how long there was no live stream. */
export function readLive(
  { url, token }: ManyServers,
  sessionId: string,
  { lastFault, onEvents }: { lastFault: () => Gap['after']; onEvents: (events: LoggedHubEvent[]) => void },
): LiveReader {
  const gaps: Gap[] = [];
  let gap: { since: number; after: Gap['after'] } | undefined = { since: performance.now(), after: 'start' };
  // Each reader is a browser of its own: what one learns about the network the others do not know.
  const reader = follow(createHubClient({ url, token }), sessionId, {
    onEvents,
    onState({ type }) {
      if (type === 'waiting') gap ??= { since: performance.now(), after: lastFault() };
      if (type !== 'live' || gap === undefined) return;
      gaps.push({ ms: Math.round(performance.now() - gap.since), after: gap.after });
      gap = undefined;
    },
  });
  return {
    events: reader.events,
    gaps,
    get view() {
      return reader.view;
    },
    get isLive() {
      return gap === undefined;
    },
  };
}

/** In milliseconds, by what had gone wrong. */
export type LongestGaps = Partial<Record<Gap['after'], number>>;

/** The longest time that any of them was without a live stream. */
export function longestGaps(readers: readonly LiveReader[]): LongestGaps {
  const longest: LongestGaps = {};
  for (const { ms, after } of readers.flatMap(({ gaps }) => gaps)) longest[after] = Math.max(longest[after] ?? 0, ms);
  return longest;
}
