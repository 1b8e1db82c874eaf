import { DragomanError } from '@dragoman/protocol';
import { callerOf, clientSignal, parseBody } from '@dragoman/server';
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import type { GatewayConfig } from '../config/gateway-config.ts';
import type { Gateway } from '../gateway.ts';
import { noteSideCall } from '../metering/note-side-call.ts';
import { inTurns } from '../policy/in-turns.ts';
import { Redaction } from '../policy/redaction.ts';
import { type Target, targetName } from '../routing/target.ts';
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

const embeddingSchema = z.looseObject({
  model: z.string().nullish(),
  input: z.union([z.string(), z.array(z.unknown()).max(MOST_INPUTS)]),
});

/** `POST /embeddings`: passed to the provider that the route `embedding` leads to, or that the model names. */
export function embeddingRoutes(door: FastifyInstance, gateway: Gateway): void {
  door.setErrorHandler(replyInDialect({ name: DIALECT, encodeError: encodeOpenAiError }, gateway));
  door.post(
    '/embeddings',
    { config: { access: 'member', body: 'upload', isModelCall: true } },
    async (request, reply) => {
      const body = parseBody(embeddingSchema, request.body);
      const config = gateway.config();
      const target = embeddingTarget(body.model ?? '', config);
      request.isRouted = true;
      const signal = clientSignal(reply);
      const redaction = new Redaction();
      const asked = config.redaction.enabled ? await inTurns(redaction.toolValue(body), signal) : body;
      const sent = {
        path: '/embeddings',
        headers: {},
        body: JSON.stringify({ ...(asked as object), model: target.model }),
      };
      const answer = await noteSideCall(
        {
          dialect: DIALECT,
          model: targetName(target),
          target,
          notes: { book: gateway, caller: callerOf(request) },
          redactions: redaction.count,
          toError: (thrown) => toConnectionError(target.providerName, thrown),
        },
        async () => {
          const upstream = await httpUpstream('openai-chat');
          const said = await gateway.upstreams.http.send(upstream, target, sent, signal);
          return { type: said.headers['content-type'] ?? 'application/json', text: await readText(said) };
        },
      );
      return reply.type(answer.type).send(hideProviderSecrets(answer.text, target.provider));
    },
  );
}

function embeddingTarget(asked: string, { routes, providers }: GatewayConfig): Target {
  const route = routes[asked] ?? routes['embedding'];
  const [first] = route === undefined ? [] : Array.isArray(route) ? route : route.targets;
  const name = asked.includes('/') ? asked : (first ?? '');
  const slash = name.indexOf('/');
  const providerName = name.slice(0, Math.max(0, slash));
  const provider = providers[providerName];
  if (provider === undefined || provider.type !== 'openai-chat') {
    throw new DragomanError(
      'not-found',
      'No embedding provider is configured: let the route "embedding" lead to "provider/model", where the provider is of type "openai-chat".',
    );
  }
  return { providerName, provider, model: name.slice(slash + 1) };
}
