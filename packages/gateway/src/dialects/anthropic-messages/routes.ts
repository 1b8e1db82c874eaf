import { callerOf } from '@dragoman/server';
import type { FastifyInstance } from 'fastify';
import { answerCall } from '../../answer/answer-call.ts';
import type { Gateway } from '../../gateway.ts';
import { resolveAllowed } from '../../policy/allowed-models.ts';
import { readRequest } from '../read-request.ts';
import { replyInDialect } from '../reply-in-dialect.ts';
import { countTokens } from './count-tokens.ts';
import { decodeAnthropicRequest } from './decode-request.ts';
import { anthropicMessagesDialect } from './dialect.ts';
import { withoutProviderTools } from './read-tools.ts';

/** `POST /messages` and `POST /messages/count_tokens` */
export function anthropicMessagesRoutes(door: FastifyInstance, gateway: Gateway): void {
  door.setErrorHandler(replyInDialect(anthropicMessagesDialect, gateway));
  door.post('/messages', { config: { access: 'models', body: 'upload', isModelCall: true } }, (request, reply) =>
    answerCall(gateway, anthropicMessagesDialect, readRequest(request.body, decodeAnthropicRequest), request, reply),
  );
  door.post('/messages/count_tokens', { config: { access: 'models', body: 'upload' } }, (request) => {
    const { asked, call } = decodeAnthropicRequest(withoutProviderTools(request.body));
    const caller = callerOf(request);
    // The count asks nobody, so that a name need not lead anywhere.
    if (caller.models !== undefined) resolveAllowed(asked, gateway.config(), caller);
    return { input_tokens: countTokens(call) };
  });
}
