import { callerOf, clientSignal } from '@dragoman/server';
import type { FastifyInstance } from 'fastify';
import { answerCall } from '../../answer/answer-call.ts';
import type { Gateway } from '../../gateway.ts';
import { readRequest } from '../read-request.ts';
import { replyInDialect } from '../reply-in-dialect.ts';
import { countMessages } from './count-messages.ts';
import { decodeAnthropicRequest } from './decode-request.ts';
import { anthropicMessagesDialect } from './dialect.ts';

/** `POST /messages` and `POST /messages/count_tokens` */
export function anthropicMessagesRoutes(door: FastifyInstance, gateway: Gateway): void {
  door.setErrorHandler(replyInDialect(anthropicMessagesDialect, gateway));
  door.post('/messages', { config: { access: 'models', body: 'upload', isModelCall: true } }, (request, reply) =>
    answerCall(gateway, anthropicMessagesDialect, readRequest(request.body, decodeAnthropicRequest), request, reply),
  );
  door.post('/messages/count_tokens', { config: { access: 'models', body: 'upload' } }, async (request, reply) => ({
    input_tokens: await countMessages(gateway, request, callerOf(request), clientSignal(reply)),
  }));
}
