import type { FastifyInstance } from 'fastify';

/** Waits this long for a reader that takes nothing; then it counts as gone. */
export const STALLED_READER_MS = 60_000;

/** Answers of this length fit into what the system keeps for a connection, or nearly. */
const LARGE_ANSWER = 256 * 1024;

/** Ends connections whose reader takes nothing of a large answer, which is kept in memory until it does. */
export function endStalledReaders(door: FastifyInstance, afterMs = STALLED_READER_MS): void {
  door.addHook('onSend', async (_request, { raw }, payload) => {
    const isLarge = (typeof payload === 'string' || payload instanceof Uint8Array) && payload.length > LARGE_ANSWER;
    if (isLarge) raw.setTimeout(afterMs, () => raw.destroy());
  });
}
