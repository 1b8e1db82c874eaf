import { DragomanError } from '@dragoman/protocol';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { ConfigInvalidError } from '../config/config-problem.ts';
import { replyWithError } from '../door/error-reply.ts';

/**
 * A configuration that cannot be used is elsewhere a fault of the server; here it is what somebody asked for, who is told
 * each mistake with its setting and its place.
 */
export function replyWithRefusal(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  if (!(error instanceof DragomanError) || error.code !== 'config-invalid')
    return replyWithError(error, request, reply);
  request.errorCode = error.code;
  const { code, message } = error;
  const problems = error instanceof ConfigInvalidError ? error.problems : [];
  return reply.code(422).send({ error: { code, message, requestId: request.id, problems } });
}
