import { DragomanError } from '@dragoman/protocol';
import type { GatewayConfig, ProviderConfig, RoutePolicy } from '../config/gateway-config.ts';
import { noSuchModel } from './no-such-model.ts';
import type { Target } from './target.ts';

/** Where a request goes, and what it gets when the client leaves it open. */
export interface Route {
  /** The name that was asked for, or `default`. */
  name: string;
  targets: Target[];
  temperature: number | undefined;
  maxTokens: number | undefined;
  isRedacted: boolean;
  /** How one of the targets is chosen. */
  policy: RoutePolicy;
  /** For the policy `weight`, by the name of a target; 1 for those that are not named. */
  weights: Readonly<Record<string, number>>;
  /** Whether a conversation stays at the target that answered it last. */
  isSticky: boolean;
  /** Whether it is the one model that a name stands for, and no route of the configuration. */
  isDirect: boolean;
}

/** The provider that is always there. */
export const OFFLINE_PROVIDER = 'offline';
const OFFLINE: ProviderConfig = {
  type: 'offline',
  models: ['offline'],
  headers: {},
  query: {},
  images: false,
  prices: {},
  limits: {},
  timeouts: { connectMs: 1000, firstByteMs: 120_000, idleMs: 120_000 },
  options: {},
};

/**
 * Finds the targets for a model name.
 *
 * In this order: a route of that name; `provider/model`; a model that a provider lists; the route `*`; a provider that
 * takes any name. No name is the route `default`, else the first model that is configured, else the offline model.
 */
export function resolveRoute(asked: string, config: GatewayConfig): Route {
  const route = findRoute(asked, config);
  if (route === undefined) throw noSuchModel(asked, listModelNames(config));
  return route;
}

/** The same, or nothing where the name leads nowhere. */
export function findRoute(asked: string, config: GatewayConfig): Route | undefined {
  const name = asked === '' ? 'default' : asked;
  const route = own(config.routes, name);
  if (route !== undefined) return toRoute(name, route, config);
  const target = asked === '' ? defaultTarget(config) : findTarget(asked, config);
  if (target !== undefined) return routeTo(target, name, config.redaction.enabled);
  if (config.routes['*'] !== undefined) return toRoute(name, config.routes['*'], config);
  const open = openProvider(config);
  return open && routeTo({ ...open, model: asked }, name, config.redaction.enabled);
}

/** The names a client can choose from: routes, then models. */
export function listModelNames(config: GatewayConfig): string[] {
  const routes = Object.keys(config.routes).filter((name) => name !== '*');
  const models = Object.entries(allProviders(config)).flatMap(([name, provider]) =>
    provider.models.filter((model) => model !== '*').map((model) => `${name}/${model}`),
  );
  return [...new Set([...routes, ...models])];
}

/** Those that are configured, and the one that is always there. */
export function allProviders(config: GatewayConfig): Record<string, ProviderConfig> {
  return { [OFFLINE_PROVIDER]: OFFLINE, ...config.providers };
}

/** A route to one target. */
export function routeTo(target: Target, name: string, isRedacted: boolean): Route {
  return {
    name,
    targets: [target],
    temperature: undefined,
    maxTokens: undefined,
    isRedacted,
    policy: 'order',
    weights: {},
    isSticky: false,
    isDirect: true,
  };
}

function toRoute(name: string, route: GatewayConfig['routes'][string], config: GatewayConfig): Route {
  const { targets, temperature, maxTokens, redaction, policy, weights, sticky }: RouteSettings = Array.isArray(route)
    ? { targets: route }
    : route;
  return {
    name,
    targets: targets.map((target) => parseTarget(target, name, config)),
    temperature,
    maxTokens,
    isRedacted: redaction ?? config.redaction.enabled,
    policy: policy ?? 'order',
    weights: weights ?? {},
    isSticky: sticky ?? true,
    isDirect: false,
  };
}

type RouteSettings = Exclude<GatewayConfig['routes'][string], readonly string[]>;

function parseTarget(text: string, route: string, config: GatewayConfig): Target {
  const slash = text.indexOf('/');
  const [providerName, model] = [text.slice(0, slash), text.slice(slash + 1)];
  const provider = own(allProviders(config), providerName);
  if (provider === undefined) {
    throw new DragomanError(
      'config-invalid',
      `The route "${route}" uses the provider "${providerName}", which is not configured.`,
    );
  }
  return { providerName, provider, model };
}

function findTarget(asked: string, config: GatewayConfig): Target | undefined {
  const providers = allProviders(config);
  const slash = asked.indexOf('/');
  const named = slash > 0 ? own(providers, asked.slice(0, slash)) : undefined;
  if (named !== undefined) {
    const model = asked.slice(slash + 1);
    if (named.models.includes(model) || named.models.includes('*'))
      return { providerName: asked.slice(0, slash), provider: named, model };
  }
  for (const [providerName, provider] of Object.entries(providers)) {
    if (provider.models.includes(asked)) return { providerName, provider, model: asked };
  }
  return undefined;
}

function openProvider(config: GatewayConfig): Omit<Target, 'model'> | undefined {
  const found = Object.entries(config.providers).find(([, provider]) => provider.models.includes('*'));
  return found === undefined ? undefined : { providerName: found[0], provider: found[1] };
}

function defaultTarget(config: GatewayConfig): Target {
  for (const [providerName, provider] of Object.entries(config.providers)) {
    const model = provider.models.find((name) => name !== '*');
    if (model !== undefined) return { providerName, provider, model };
  }
  return { providerName: OFFLINE_PROVIDER, provider: allProviders(config)[OFFLINE_PROVIDER]!, model: 'offline' };
}

/** What a record holds under a name; not what every object has. */
function own<Value>(record: Readonly<Record<string, Value>>, name: string): Value | undefined {
  return Object.hasOwn(record, name) ? record[name] : undefined;
}
