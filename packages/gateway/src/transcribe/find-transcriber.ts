import { DragomanError } from '@dragoman/protocol';
import type { ProviderConfig, UpstreamKind } from '../config/gateway-config.ts';
import type { Target } from '../routing/target.ts';

/** The protocols that have a call for it. */
const TYPES: readonly UpstreamKind[] = ['openai-chat', 'openai-responses'];

/** Who is asked to write recordings down. Throws where the name leads to nobody who could. */
export function findTranscriber(name: string, providers: Readonly<Record<string, ProviderConfig>>): Target {
  const slash = name.indexOf('/');
  const providerName = name.slice(0, Math.max(0, slash));
  const problem = transcriberProblem(name, providers);
  if (problem !== undefined)
    throw new DragomanError(
      'config-invalid',
      `"${name}" cannot write recordings down: ${problem}. Name another "provider/model" for it.`,
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
  return `the provider "${providerName}" is of type "${provider.type}"; recordings are written down by those of type ${TYPES.map((type) => `"${type}"`).join(' or ')}`;
}
