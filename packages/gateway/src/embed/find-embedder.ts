import { DragomanError } from '@dragoman/protocol';
import type { ProviderConfig, UpstreamKind } from '../config/gateway-config.ts';
import type { Target } from '../routing/target.ts';

/** The protocols that have a call for it, and where it stands behind the provider's address. */
export const EMBEDDING_PATHS: Partial<Record<UpstreamKind, string>> = {
  'openai-chat': '/embeddings',
  'openai-responses': '/embeddings',
  // Beside its own protocol it speaks this one.
  ollama: '/v1/embeddings',
};
const OFFLINE = 'offline';

/** Who is asked for vectors, and where. */
export interface EmbeddingTarget extends Target {
  path: string;
}

/** Who is asked for vectors. Throws where the name leads to nobody who could make them. */
export function findEmbedder(name: string, providers: Readonly<Record<string, ProviderConfig>>): EmbeddingTarget {
  const slash = name.indexOf('/');
  const providerName = name.slice(0, Math.max(0, slash));
  const problem = embedderProblem(name, providers);
  if (problem !== undefined)
    throw new DragomanError(
      'config-invalid',
      `"${name}" cannot create embeddings: ${problem}. Use another "provider/model".`,
    );
  const provider = providers[providerName]!;
  return { providerName, provider, model: name.slice(slash + 1), path: EMBEDDING_PATHS[provider.type]! };
}

/** Why nobody can make vectors under that name, in half a sentence. */
export function embedderProblem(
  name: string,
  providers: Readonly<Record<string, Pick<ProviderConfig, 'type'>>>,
): string | undefined {
  const providerName = name.slice(0, Math.max(0, name.indexOf('/')));
  const provider = Object.hasOwn(providers, providerName) ? providers[providerName] : undefined;
  if ((provider?.type ?? providerName) === OFFLINE)
    return 'the offline model cannot create embeddings; without a setting, the built-in vectors work offline';
  if (provider === undefined) return `there is no provider named "${providerName}"`;
  if (EMBEDDING_PATHS[provider.type] !== undefined) return undefined;
  const types = Object.keys(EMBEDDING_PATHS).map((type) => `"${type}"`);
  return `the provider "${providerName}" has the type "${provider.type}"; embeddings need a provider of type ${types.slice(0, -1).join(', ')} or ${types.at(-1)}`;
}
