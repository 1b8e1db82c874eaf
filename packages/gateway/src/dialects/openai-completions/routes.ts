import type { FastifyInstance } from 'fastify';
import { answerCall } from '../../answer/answer-call.ts';
import type { Gateway } from '../../gateway.ts';
import { readRequest } from '../read-request.ts';
import { replyInDialect } from '../reply-in-dialect.ts';
import { decodeCompletionRequest } from './decode-request.ts';
import { openAiCompletionsDialect } from './dialect.ts';

/** `POST /completions` */
export function openAiCompletionsRoutes(door: FastifyInstance, gateway: Gateway): void {
  door.setErrorHandler(replyInDialect(openAiCompletionsDialect, gateway));
  door.post('/completions', { config: { access: 'models', body: 'upload', isModelCall: true } }, (request, reply) =>
    answerCall(gateway, openAiCompletionsDialect, readRequest(request.body, decodeCompletionRequest), request, reply),
  );
}
