import { DragomanError } from '@dragoman/protocol';
import { callerOf, clientSignal, inTurns, parseBody } from '@dragoman/server';
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import type { GatewayConfig } from '../config/gateway-config.ts';
import { embeddingUsage } from '../embed/embedding-usage.ts';
import type { Gateway } from '../gateway.ts';
import { noteSideCall } from '../metering/note-side-call.ts';
import { Redaction } from '../policy/redaction.ts';
import { resolveRoute, type Route } from '../routing/resolve-route.ts';
import { targetName } from '../routing/target.ts';
import { besideChat } from '../upstreams/beside-chat.ts';
import { readText } from '../upstreams/http-caller.ts';
import { hideProviderSecrets } from '../upstreams/provider-secrets.ts';
import { toConnectionError } from '../upstreams/upstream-error.ts';
import { httpUpstream } from '../upstreams/upstream-registry.ts';
import { encodeOpenAiError } from './openai-chat/encode-error.ts';
import { replyInDialect } from './reply-in-dialect.ts';

/** How these calls are told from others, where the dialect stands. */
const DIALECT = 'embeddings';
/** As OpenAI has it: so many texts at once, or one text of so many tokens. */
const MOST_INPUTS = 8_192;
/** Two thousand vectors of some thousand numbers, written out. They are passed on as they are. */
const MOST_ANSWER_BYTES = 64 * 1024 * 1024;

const embeddingSchema = z.looseObject({
  model: z.string().nullish(),
  input: z.union([z.string(), z.array(z.unknown()).max(MOST_INPUTS)]),
});

/** `POST /embeddings`: passed to the provider that the route `embedding` leads to, or that the model names. */
export function embeddingRoutes(door: FastifyInstance, gateway: Gateway): void {
  door.setErrorHandler(replyInDialect({ name: DIALECT, encodeError: encodeOpenAiError }, gateway));
  door.post(
    '/embeddings',
    { config: { access: 'models', body: 'upload', isModelCall: true } },
    async (request, reply) => {
      const body = parseBody(embeddingSchema, request.body);
      const config = gateway.config();
      const route = embeddingRoute(body.model ?? '', config);
      request.isRouted = true;
      const signal = clientSignal(reply);
      const redaction = new Redaction();
      const asked = route.isRedacted ? await inTurns(redaction.toolValue(body), signal) : body;
      const text = JSON.stringify({ ...(asked as object), model: route.targets[0]!.model });
      const answer = await noteSideCall(
        {
          dialect: DIALECT,
          model: targetName(route.targets[0]!),
          route,
          notes: { book: gateway, caller: callerOf(request) },
          redactions: redaction.count,
          signal,
          toError: (thrown, target) => toConnectionError(target.providerName, thrown),
        },
        async (target, measure) => {
          const upstream = await httpUpstream('openai-chat');
          const { target: embedder, path } = besideChat(target, '/embeddings');
          const said = await gateway.upstreams.http.send(upstream, embedder, { path, headers: {}, body: text }, signal);
          const vectors = await readText(said, MOST_ANSWER_BYTES);
          measure.usage = embeddingUsage(vectors);
          return hideProviderSecrets(vectors, target.provider);
        },
      );
      // A browser must not take it for a page, whatever type the provider names.
      return reply.type('application/json').send(answer);
    },
  );
}

/**
 * The route or the provider that is named, else where the route `embedding` leads. Others than its first target are asked
 * only where they have the same model: vectors of two models cannot be compared.
 */
function embeddingRoute(asked: string, config: GatewayConfig): Route {
  const isNamed = asked.includes('/') || Object.hasOwn(config.routes, asked);
  const route = isNamed || config.routes['embedding'] ? resolveRoute(isNamed ? asked : 'embedding', config) : undefined;
  const first = route?.targets[0];
  if (route === undefined || first?.provider.type !== 'openai-chat') {
    throw new DragomanError(
      'not-found',
      'No embedding provider is configured: let the route "embedding" lead to "provider/model", where the provider is of type "openai-chat".',
    );
  }
  const targets = route.targets.filter(
    ({ provider, model }) => provider.type === first.provider.type && model === first.model,
  );
  return { ...route, targets };
}
