import { DragomanError, type DragomanErrorCode } from '@dragoman/protocol';
import { diskFullError, isFullDisk } from '../store/store-failure.ts';
import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';

/** Every code has its status: a new code is a type error here. */
export const HTTP_STATUS: Record<DragomanErrorCode, number> = {
  'bad-request': 400,
  unauthenticated: 401,
  forbidden: 403,
  'not-found': 404,
  conflict: 409,
  'too-large': 413,
  'unsupported-media': 415,
  misdirected: 421,
  'rate-limited': 429,
  'over-budget': 402, // Clients that would ask again after a 429 leave it at that.
  'context-overflow': 400,
  cancelled: 499,
  'timed-out': 504,
  unavailable: 503,
  'disk-full': 507,
  'config-invalid': 500,
  'data-folder': 500,
  'database-newer': 500,
  'database-unreachable': 503,
  'address-in-use': 500,
  internal: 500,
};

/** The one place where an error becomes an answer. Dialects with a form of their own replace it inside their plugin and start from `toDragomanError`. */
export function replyWithError(error: unknown, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const known = toDragomanError(error, request);
  const status = HTTP_STATUS[known.code];
  noteError(known, error, request);
  if (known.retryAfterMs !== undefined) reply.header('retry-after', Math.ceil(known.retryAfterMs / 1000));
  return reply.code(status).send({ error: { code: known.code, message: known.message, requestId: request.id } });
}

/** Keeps the code for the request's log line, and writes down what was not foreseen. */
export function noteError(known: DragomanError, original: unknown, request: FastifyRequest): void {
  request.errorCode = known.code;
  if (HTTP_STATUS[known.code] >= 500) request.log.error({ err: original, requestId: request.id }, 'a request failed');
}

/** What Fastify and Node report, in our own words; anything unforeseen keeps its details for the log. */
export function toDragomanError(error: unknown, request: FastifyRequest): DragomanError {
  // Whatever could not be written, and wherever: people are told why.
  if (isFullDisk(error))
    return error instanceof DragomanError && error.code === 'disk-full' ? error : diskFullError(error);
  if (error instanceof DragomanError) return error;
  const { code, statusCode } = (error ?? {}) as Partial<FastifyError>;
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE') {
    return new DragomanError(
      'too-large',
      `The body is larger than ${request.routeOptions.bodyLimit} bytes, the limit for this request.`,
    );
  }
  if (code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE') {
    return new DragomanError(
      'unsupported-media',
      'This request needs a JSON body; send it with "content-type: application/json".',
    );
  }
  // It would repeat the address, and a key may stand in that.
  if (code === 'FST_ERR_BAD_URL')
    return new DragomanError(
      'bad-request',
      'The URL is not valid: it is not UTF-8, or contains a % that is not part of an escape.',
    );
  if (statusCode !== undefined && statusCode >= 400 && statusCode < 500)
    return new DragomanError('bad-request', (error as Error).message);
  return new DragomanError('internal', 'Internal server error. See the server log for this request ID.', {
    cause: error,
  });
}
