import type { FastifyInstance } from 'fastify';

const SWEEP_MS = 20;

/**
 * Ends the door in good order: nothing new comes in, running answers get `graceMs`, then their connections are cut.
 * Tells how many had to be.
 */
export async function stopDoor(door: FastifyInstance, graceMs: number): Promise<number> {
  let cut = 0;
  // A connection that has had its answer is kept by its client; it is no reason to wait.
  const sweep = setInterval(() => door.server.closeIdleConnections(), SWEEP_MS);
  const impatience = setTimeout(() => {
    door.server.getConnections((_error, count) => {
      cut = count;
      door.server.closeAllConnections();
    });
  }, graceMs);
  await door.close();
  clearInterval(sweep);
  clearTimeout(impatience);
  return cut;
}
