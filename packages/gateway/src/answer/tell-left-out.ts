import type { FastifyReply, FastifyRequest } from 'fastify';

export const LEFT_OUT_HEADER = 'x-dragoman-left-out';
const MAX_LENGTH = 2000;

/** Names in the head of the answer, and in the log, what of the request the target was not told. */
export function tellLeftOut(leftOut: readonly string[], request: FastifyRequest, reply: FastifyReply): void {
  reply.header(
    LEFT_OUT_HEADER,
    leftOut
      .join(', ')
      .replace(/[^\x20-\x7e]/g, '?')
      .slice(0, MAX_LENGTH),
  );
  request.log.info({ leftOut: leftOut.slice(0, 50) }, 'left out of a model call');
}
