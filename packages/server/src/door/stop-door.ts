import type { FastifyInstance } from 'fastify';

const SWEEP_MS = 20;

/**
 * Ends the door in good order: nothing new comes in, running answers get `graceMs`, then their connections are cut.
 * Tells how many had to be. A connection without a request is no reason to wait.
 */
export async function stopDoor(door: FastifyInstance, graceMs: number): Promise<number> {
  let cut = 0;
  const sweep = setInterval(() => door.connections.endIdle(), SWEEP_MS);
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
