import { clientSignal } from '@dragoman/server';
import type { FastifyInstance } from 'fastify';
import { answerCall } from '../../answer/answer-call.ts';
import type { Gateway } from '../../gateway.ts';
import { readRequest } from '../read-request.ts';
import { replyInDialect } from '../reply-in-dialect.ts';
import { countInput } from './count-input.ts';
import { decodeResponsesRequest } from './decode-request.ts';
import { openAiResponsesDialect } from './dialect.ts';

/** `POST /responses` and `POST /responses/input_tokens` */
export function openAiResponsesRoutes(door: FastifyInstance, gateway: Gateway): void {
  door.setErrorHandler(replyInDialect(openAiResponsesDialect, gateway));
  door.post('/responses', { config: { access: 'models', body: 'upload', isModelCall: true } }, (request, reply) =>
    answerCall(gateway, openAiResponsesDialect, readRequest(request.body, decodeResponsesRequest), request, reply),
  );
  door.post('/responses/input_tokens', { config: { access: 'models', body: 'upload' } }, async ({ body }, reply) => ({
    object: 'response.input_tokens',
    input_tokens: await countInput(gateway, body, clientSignal(reply)),
  }));
}
