import { clientSignal, parseBody } from '@dragoman/server';
import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { EMBEDDINGS, MOST_INPUTS, passEmbedding } from '../embed/pass-embedding.ts';
import type { Gateway } from '../gateway.ts';
import { encodeOpenAiError, isOpenAiError } from './openai-chat/encode-error.ts';
import { replyInDialect } from './reply-in-dialect.ts';

const embeddingSchema = z.looseObject({
  model: z.string().nullish(),
  input: z.union([z.string(), z.array(z.unknown()).max(MOST_INPUTS)]),
});

/** `POST /embeddings`: passed to the provider that the route `embedding` leads to, or that the model names. */
export function embeddingRoutes(door: FastifyInstance, gateway: Gateway): void {
  door.setErrorHandler(
    replyInDialect(
      {
        name: EMBEDDINGS,
        relayed: { type: 'openai-chat', path: '/embeddings' },
        encodeError: encodeOpenAiError,
        isOwnError: isOpenAiError,
      },
      gateway,
    ),
  );
  door.post(
    '/embeddings',
    { config: { access: 'models', body: 'upload', isModelCall: true } },
    async (request, reply) => {
      const body = parseBody(embeddingSchema, request.body);
      const answer = await passEmbedding(gateway, body, request, clientSignal(reply));
      // A browser must not take it for a page, whatever type the provider names.
      return reply.type('application/json').send(answer);
    },
  );
}
