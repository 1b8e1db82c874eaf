import type { FastifyRequest } from 'fastify';

/**
 * Does something with a signal that is aborted when the client leaves meanwhile. The socket is watched and not the
 * request, whose own end comes as soon as its body was read.
 */
export async function whileConnected<Result>(
  request: FastifyRequest,
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const controller = new AbortController();
  const leave = () => controller.abort();
  request.socket.once('close', leave);
  if (request.socket.destroyed) leave(); // Before what answers was loaded.
  try {
    return await work(controller.signal);
  } finally {
    request.socket.off('close', leave);
  }
}
