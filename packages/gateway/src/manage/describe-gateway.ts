import type { ProviderInfo, RouteInfo } from '@dragoman/protocol/console';
import type { GATEWAY_CALLS } from '@dragoman/protocol/console-calls';
import { maskAddresses } from '@dragoman/protocol/secrets';
import type { z } from 'zod';
import type { GatewayConfig, ProviderConfig, UpstreamKind } from '../config/gateway-config.ts';
import type { Gateway } from '../gateway.ts';
import { countersOf } from '../metering/call-counters.ts';
import type { ProviderState } from '../metering/call-watch.ts';
import { optional } from '../optional.ts';
import { listAllowed, type ModelAsker } from '../policy/allowed-models.ts';
import { allProviders, OFFLINE_PROVIDER } from '../routing/resolve-route.ts';
import { httpUpstream } from '../upstreams/upstream-registry.ts';
import { type LoggedOutcomes, newerState } from './logged-outcomes.ts';

/** What the gateway tells of itself. */
export type GatewayDescription = z.output<(typeof GATEWAY_CALLS)['readGateway']['answer']>;

/** The protocols a person can set up, and whether the service at the address each knows wants a key. */
const NEEDS_KEY: Record<Exclude<UpstreamKind, 'offline'>, boolean> = {
  'openai-chat': true,
  'openai-responses': true,
  'anthropic-messages': true,
  gemini: true,
  ollama: false,
  'ai-sdk': false, // A matter of the package, and some find a key by themselves.
};

/**
 * What is in force, how well it works, and what was counted since the start, by all servers where several share a database. Of
 * keys it tells only how many there are. A target that failed here and has answered another process since is asked again here.
 */
export async function describeGateway(
  { config, calls, targets, metrics, sharedCalls }: Gateway,
  asker: ModelAsker,
  logged: LoggedOutcomes,
): Promise<GatewayDescription> {
  const inForce = config();
  for (const [target, at] of logged.answered) targets.rests.answeredElsewhere(target, at);
  const { [OFFLINE_PROVIDER]: offline, ...others } = allProviders(inForce);
  const counters = await countersOf({ calls, metrics });
  const resting = targets.rests.list(inForce.providers);
  const providers = { ...others, ...(offline === undefined ? {} : { [OFFLINE_PROVIDER]: offline }) };
  return {
    providers: Object.entries(providers).map(([name, provider]) =>
      describeProvider(name, provider, inForce, newerState(calls.providerState(name), logged.providers.get(name))),
    ),
    routes: Object.entries(inForce.routes).map(([name, route]) => describeRoute(name, route)),
    ...(resting.length === 0 ? {} : { resting }),
    models: listAllowed(inForce, asker),
    kinds: await Promise.all(Object.entries(NEEDS_KEY).map(([type, needsKey]) => describeKind(type, needsKey))),
    counters: sharedCalls === undefined ? counters : sharedCalls.add(counters),
  };
}

function describeProvider(
  name: string,
  { type, baseUrl, models, apiKey }: ProviderConfig,
  config: GatewayConfig,
  state: ProviderState,
): ProviderInfo {
  return {
    name,
    type,
    ...optional('baseUrl', baseUrl === undefined ? undefined : maskAddresses(baseUrl)),
    models,
    keys: apiKey === undefined ? 0 : [apiKey].flat().length,
    isBuiltIn: !Object.hasOwn(config.providers, name),
    ...state,
  };
}

function describeRoute(name: string, route: GatewayConfig['routes'][string]): RouteInfo {
  if (Array.isArray(route)) return { name, targets: route };
  return {
    name,
    targets: route.targets,
    ...optional('policy', route.policy === 'order' ? undefined : route.policy),
    ...optional('weights', route.weights),
    ...optional('sticky', route.sticky),
    ...optional('temperature', route.temperature),
    ...optional('maxTokens', route.maxTokens),
    ...optional('redaction', route.redaction),
  };
}

async function describeKind(type: string, needsKey: boolean): Promise<GatewayDescription['kinds'][number]> {
  if (type === 'ai-sdk') return { type, needsKey };
  const { defaultBaseUrl } = await httpUpstream(type as UpstreamKind);
  return { type, ...optional('baseUrl', defaultBaseUrl), needsKey };
}
