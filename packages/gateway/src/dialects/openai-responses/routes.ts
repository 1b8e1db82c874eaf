import { callerOf, clientSignal } from '@dragoman/server';
import type { FastifyInstance } from 'fastify';
import type { Gateway } from '../../gateway.ts';
import { replyInDialect } from '../reply-in-dialect.ts';
import { answerKept } from './answer-kept.ts';
import { countInput } from './count-input.ts';
import { openAiResponsesDialect } from './dialect.ts';
import { keptRoutes } from './kept-routes.ts';

/** `POST /responses` and `POST /responses/input_tokens`, and what is kept. */
export function openAiResponsesRoutes(door: FastifyInstance, gateway: Gateway): void {
  door.setErrorHandler(replyInDialect(openAiResponsesDialect, gateway));
  door.post('/responses', { config: { access: 'models', body: 'upload', isModelCall: true } }, (request, reply) =>
    answerKept(gateway, request, reply),
  );
  door.post('/responses/input_tokens', { config: { access: 'models', body: 'upload' } }, async (request, reply) => ({
    object: 'response.input_tokens',
    input_tokens: await countInput(gateway, request.body, callerOf(request), clientSignal(reply)),
  }));
  keptRoutes(door, gateway);
}
