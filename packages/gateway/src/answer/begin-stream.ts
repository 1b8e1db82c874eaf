import type { FastifyReply } from 'fastify';

/**
 * Sends the head of a streamed answer: with the first text where that follows at once, else by itself, so that the
 * client knows its call was accepted while the model is still thinking.
 */
export function beginStream(reply: FastifyReply, headers: Readonly<Record<string, string>>): void {
  const { raw } = reply;
  if (raw.headersSent) return;
  reply.hijack();
  const connection = raw.shouldKeepAlive ? {} : { connection: 'close' };
  raw.writeHead(200, { ...(reply.getHeaders() as Record<string, string>), ...headers, ...connection });
  setImmediate(() => {
    if (!raw.destroyed && !raw.writableEnded) raw.flushHeaders();
  });
}
