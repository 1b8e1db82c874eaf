import type { RouteInfo, SettingChange } from '@dragoman/protocol/console';

export const POLICIES = ['order', 'weight', 'fastest', 'cheapest'] as const;
type RoutePolicy = (typeof POLICIES)[number];

/** A route while somebody edits it: numbers as they are typed. */
export interface RouteDraft {
  name: string;
  targets: readonly string[];
  policy: RoutePolicy;
  /** For the policy `weight`, by target. */
  weights: Readonly<Record<string, string>>;
  isSticky: boolean;
  temperature: string;
  maxTokens: string;
  redaction: 'inherit' | 'on' | 'off';
}

/** What is wrong with a draft; words for each are in `routes-words.ts`. */
export interface RouteMistakes {
  name?: 'nameMissing' | 'nameTaken';
  targets?: 'noTargets';
  weights?: 'weights';
  temperature?: 'temperature';
  maxTokens?: 'maxTokens';
}

/** A route to be edited; without one, a new one. */
export function draftOf(route?: RouteInfo): RouteDraft {
  return {
    name: route?.name ?? '',
    targets: route?.targets ?? [],
    policy: route?.policy ?? 'order',
    weights: Object.fromEntries(
      Object.entries(route?.weights ?? {}).map(([target, weight]) => [target, String(weight)]),
    ),
    isSticky: route?.sticky ?? true,
    temperature: route?.temperature?.toString() ?? '',
    maxTokens: route?.maxTokens?.toString() ?? '',
    redaction: route?.redaction === undefined ? 'inherit' : route.redaction ? 'on' : 'off',
  };
}

/** What keeps a draft from being saved. */
export function mistakesOf(draft: RouteDraft, otherNames: readonly string[]): RouteMistakes {
  const name = draft.name.trim();
  const temperature = Number(draft.temperature);
  const maxTokens = Number(draft.maxTokens);
  return {
    ...(name === '' ? { name: 'nameMissing' } : otherNames.includes(name) && { name: 'nameTaken' }),
    ...(draft.targets.length === 0 && { targets: 'noTargets' }),
    ...(weightsOf(draft).some(([, weight]) => !(weight >= 0 && weight <= MOST_WEIGHT)) && { weights: 'weights' }),
    ...(isGiven(draft.temperature) && !(temperature >= 0 && temperature <= 2) && { temperature: 'temperature' }),
    ...(isGiven(draft.maxTokens) && !(Number.isSafeInteger(maxTokens) && maxTokens > 0) && { maxTokens: 'maxTokens' }),
  };
}

/** What keeps a target from being added. */
export function targetMistake(
  target: string,
  { targets, providers }: { targets: readonly string[]; providers: readonly string[] },
): 'targetForm' | 'targetTaken' | 'targetProvider' | undefined {
  const [provider = '', ...model] = target.split('/');
  if (provider === '' || model.join('/') === '') return 'targetForm';
  if (targets.includes(target)) return 'targetTaken';
  return providers.includes(provider) ? undefined : 'targetProvider';
}

/** The change that puts a draft into the settings; a route with another name than before leaves the old one. */
export function changesOf(draft: RouteDraft, before: string | undefined): SettingChange[] {
  const name = draft.name.trim();
  const targets = [...draft.targets];
  const weights = weightsOf(draft);
  const options = {
    ...(draft.policy !== 'order' && { policy: draft.policy }),
    ...(weights.length > 0 && { weights: Object.fromEntries(weights) }),
    ...(!draft.isSticky && { sticky: false }),
    ...(isGiven(draft.temperature) && { temperature: Number(draft.temperature) }),
    ...(isGiven(draft.maxTokens) && { maxTokens: Number(draft.maxTokens) }),
    ...(draft.redaction !== 'inherit' && { redaction: draft.redaction === 'on' }),
  };
  const value = Object.keys(options).length === 0 ? targets : { targets, ...options };
  return [
    ...(before === undefined || before === name ? [] : [{ path: ['routes', before] }]),
    { path: ['routes', name], value },
  ];
}

/** The same list with one item at another place. A place that is not there changes nothing. */
export function moved<Item>(items: readonly Item[], from: number, to: number): readonly Item[] {
  if (from === to || from < 0 || to < 0 || from >= items.length || to >= items.length) return items;
  const rest = items.toSpliced(from, 1);
  return rest.toSpliced(to, 0, items[from]!);
}

const MOST_WEIGHT = 1_000_000;

function weightsOf({ policy, targets, weights }: RouteDraft): [string, number][] {
  if (policy !== 'weight') return [];
  return targets.flatMap((target) => (isGiven(weights[target] ?? '') ? [[target, Number(weights[target])]] : []));
}

function isGiven(text: string): boolean {
  return text.trim() !== '';
}
