import type { FastifyReply } from 'fastify';

/**
 * Aborted when the client leaves before its answer is complete: before the first byte, in the middle, streamed or not.
 * The response is watched and not the request, whose own end comes as soon as its body was read. What answers may be loaded
 * with the first call, so the client may have left before anybody asks for this.
 */
export function clientSignal({ raw }: FastifyReply): AbortSignal {
  const controller = new AbortController();
  const leave = () => {
    if (!raw.writableFinished) controller.abort();
  };
  if (raw.destroyed) leave();
  else raw.once('close', leave);
  return controller.signal;
}
