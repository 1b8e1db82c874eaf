import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Gateway } from '../gateway.ts';
import { encodeAnthropicError } from './anthropic-messages/encode-error.ts';
import { encodeOpenAiError } from './openai-chat/encode-error.ts';
import { replyInDialect } from './reply-in-dialect.ts';

/** Headers that Anthropic's clients send, and others do not. */
const ANTHROPIC_HEADERS = ['anthropic-version', 'x-api-key'];

/** Errors where one path serves the clients of several protocols: in Anthropic's form for its clients, else in OpenAI's. */
export function replyByClient(name: string, gateway: Gateway) {
  const toAnthropic = replyInDialect({ name, encodeError: encodeAnthropicError }, gateway);
  const toOpenAi = replyInDialect({ name, encodeError: encodeOpenAiError }, gateway);
  return (error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply => {
    const isAnthropic = ANTHROPIC_HEADERS.some((header) => request.headers[header] !== undefined);
    return (isAnthropic ? toAnthropic : toOpenAi)(error, request, reply);
  };
}
