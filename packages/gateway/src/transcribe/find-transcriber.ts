import { DragomanError } from '@dragoman/protocol';
import type { GatewayConfig, ProviderConfig, UpstreamKind } from '../config/gateway-config.ts';
import { type ModelAsker, resolveAllowed } from '../policy/allowed-models.ts';
import { RefusedCall } from '../policy/refused-call.ts';
import type { Route } from '../routing/resolve-route.ts';
import type { Target } from '../routing/target.ts';

/** The protocols that have a call for it. */
const TYPES: readonly UpstreamKind[] = ['openai-chat', 'openai-responses'];
const TYPE_NAMES = TYPES.map((type) => `"${type}"`).join(' or ');
/** The route that is asked where a client names a model that nobody has here. */
const ROUTE = 'transcription';

/**
 * Where the recording of a client goes: to the route or the provider that it names, else where the route
 * `transcription` leads, else to whoever has a model of that name.
 */
export function transcriptionRoute(asked: string, config: GatewayConfig, asker: ModelAsker): Route {
  const isNamed = asked.includes('/') || Object.hasOwn(config.routes, asked);
  const name = !isNamed && Object.hasOwn(config.routes, ROUTE) ? ROUTE : asked;
  const route = resolveAllowed(name, config, asker);
  const targets = route.targets.filter(({ provider }) => TYPES.includes(provider.type));
  if (targets.length > 0) return { ...route, targets };
  throw new RefusedCall(
    'not-found',
    `No transcription model named ${JSON.stringify(asked.slice(0, 200))} is configured. Use "provider/model", or point the route "${ROUTE}" to it. Its provider must have the type ${TYPE_NAMES}.`,
  );
}

/** Who is asked to write recordings down. Throws where the name leads to nobody who could. */
export function findTranscriber(name: string, providers: Readonly<Record<string, ProviderConfig>>): Target {
  const slash = name.indexOf('/');
  const providerName = name.slice(0, Math.max(0, slash));
  const problem = transcriberProblem(name, providers);
  if (problem !== undefined)
    throw new DragomanError(
      'config-invalid',
      `"${name}" cannot transcribe recordings: ${problem}. Use another "provider/model".`,
    );
  return { providerName, provider: providers[providerName]!, model: name.slice(slash + 1) };
}

/** Why nobody can write recordings down under that name, in half a sentence. */
export function transcriberProblem(
  name: string,
  providers: Readonly<Record<string, Pick<ProviderConfig, 'type'>>>,
): string | undefined {
  const providerName = name.slice(0, Math.max(0, name.indexOf('/')));
  const provider = Object.hasOwn(providers, providerName) ? providers[providerName] : undefined;
  if (provider === undefined) return `there is no provider named "${providerName}"`;
  if (TYPES.includes(provider.type)) return undefined;
  return `the provider "${providerName}" has the type "${provider.type}"; transcription needs a provider of type ${TYPE_NAMES}`;
}
