import { HTTP_STATUS, noteError, toDragomanError } from '@dragoman/server';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Gateway } from '../gateway.ts';
import { type AskedFor, noteRefusal } from '../metering/note-refusal.ts';
import type { Dialect } from './dialect.ts';
import { passRefusal } from './pass-refusal.ts';

/** What of a dialect is needed to tell an error. */
type ErrorDialect = { name: string } & Pick<Dialect, 'encodeError' | 'statusOf' | 'relayed' | 'isOwnError'>;

/** Errors before the first byte, in the form that the dialect's clients read. */
export function replyInDialect(
  dialect: ErrorDialect,
  { calls }: Gateway,
  askedIn?: (request: FastifyRequest) => AskedFor,
) {
  return (error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply => {
    const known = toDragomanError(error, request);
    const status = dialect.statusOf?.(known) ?? HTTP_STATUS[known.code];
    noteError(known, error, request);
    noteRefusal(calls, { dialect: dialect.name, error: known, request, reply, asked: askedIn?.(request) });
    const passed = passRefusal(known, dialect, reply);
    if (passed !== undefined) return passed;
    if (known.retryAfterMs !== undefined)
      reply.header('retry-after', Math.max(1, Math.ceil(known.retryAfterMs / 1000)));
    return reply.code(status).send(dialect.encodeError(known, status));
  };
}
