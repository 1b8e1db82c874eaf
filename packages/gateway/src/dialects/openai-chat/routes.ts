import type { FastifyInstance } from 'fastify';
import { answerCall } from '../../answer/answer-call.ts';
import type { Gateway } from '../../gateway.ts';
import { readRequest } from '../read-request.ts';
import { replyInDialect } from '../reply-in-dialect.ts';
import { decodeOpenAiChatRequest } from './decode-request.ts';
import { openAiChatDialect } from './dialect.ts';

/** `POST /chat/completions` */
export function openAiChatRoutes(door: FastifyInstance, gateway: Gateway): void {
  door.setErrorHandler(replyInDialect(openAiChatDialect, gateway));
  door.post(
    '/chat/completions',
    { config: { access: 'models', body: 'upload', isModelCall: true } },
    (request, reply) =>
      answerCall(gateway, openAiChatDialect, readRequest(request.body, decodeOpenAiChatRequest), request, reply),
  );
}
