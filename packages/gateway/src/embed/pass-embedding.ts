import { DragomanError } from '@dragoman/protocol';
import { callerOf, inTurns } from '@dragoman/server';
import type { FastifyRequest } from 'fastify';
import type { GatewayConfig } from '../config/gateway-config.ts';
import type { Gateway } from '../gateway.ts';
import { noteSideCall } from '../metering/note-side-call.ts';
import { type ModelAsker, resolveAllowed } from '../policy/allowed-models.ts';
import { Redaction } from '../policy/redaction.ts';
import type { Route } from '../routing/resolve-route.ts';
import { type Target, targetName } from '../routing/target.ts';
import { besideChat } from '../upstreams/beside-chat.ts';
import { readText } from '../upstreams/http-caller.ts';
import { hideProviderSecrets } from '../upstreams/provider-secrets.ts';
import { toConnectionError } from '../upstreams/upstream-error.ts';
import { httpUpstream } from '../upstreams/upstream-registry.ts';
import { embeddingUsage } from './embedding-usage.ts';
import { EMBEDDING_PATHS } from './find-embedder.ts';

/** How these calls are told from others, where the dialect stands. */
export const EMBEDDINGS = 'embeddings';
/** As OpenAI has it: so many texts at once, or one text of so many tokens. */
export const MOST_INPUTS = 8_192;
/** Two thousand vectors of some thousand numbers, written out. They are passed on as they are. */
const MOST_ANSWER_BYTES = 64 * 1024 * 1024;

/** Asks for vectors, in OpenAI's form, the provider that the model names or the route `embedding` leads to. Gives back its answer. */
export async function passEmbedding(
  gateway: Gateway,
  body: Readonly<Record<string, unknown>> & { model?: string | null | undefined },
  request: FastifyRequest,
  signal: AbortSignal,
): Promise<string> {
  const { route, path: ownPath } = embeddingRoute(body.model ?? '', gateway.config(), callerOf(request));
  const [first] = route.targets as [Target];
  const redaction = new Redaction();
  const asked = route.isRedacted ? await inTurns(redaction.toolValue(body), signal) : body;
  const text = JSON.stringify({ ...(asked as object), model: first.model });
  return noteSideCall(
    {
      dialect: EMBEDDINGS,
      model: targetName(first),
      route,
      notes: { book: gateway, caller: callerOf(request), request },
      redactions: redaction.count,
      signal,
      toError: (thrown, target) => toConnectionError(target.providerName, thrown),
    },
    async (target, measure) => {
      const upstream = await httpUpstream(target.provider.type);
      const { target: embedder, path } = besideChat(target, ownPath);
      const said = await gateway.upstreams.http.send(upstream, embedder, { path, headers: {}, body: text }, signal);
      const vectors = await readText(said, MOST_ANSWER_BYTES);
      measure.usage = embeddingUsage(vectors);
      return hideProviderSecrets(vectors, target.provider);
    },
  );
}

/**
 * The route or the provider that is named, else where the route `embedding` leads. Others than its first target are asked
 * only where they have the same model: vectors of two models cannot be compared.
 */
function embeddingRoute(asked: string, config: GatewayConfig, asker: ModelAsker): { route: Route; path: string } {
  const isNamed = asked.includes('/') || Object.hasOwn(config.routes, asked);
  const name = isNamed ? asked : 'embedding';
  const route = isNamed || config.routes['embedding'] ? resolveAllowed(name, config, asker) : undefined;
  const first = route?.targets[0];
  const path = first && EMBEDDING_PATHS[first.provider.type];
  if (route === undefined || first === undefined || path === undefined) {
    throw new DragomanError(
      'not-found',
      'No embedding model is configured. Point the route "embedding" to a "provider/model" whose provider has the type "openai-chat", "openai-responses" or "ollama".',
    );
  }
  const targets = route.targets.filter(
    ({ provider, model }) => provider.type === first.provider.type && model === first.model,
  );
  return { route: { ...route, targets }, path };
}
