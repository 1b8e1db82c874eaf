import type { FastifyInstance } from 'fastify';

/**
 * Ends the door in good order: nothing new comes in, running answers get `graceMs`, then their connections are cut.
 * Tells how many had to be.
 */
export async function stopDoor(door: FastifyInstance, graceMs: number): Promise<number> {
  let cut = 0;
  const impatience = setTimeout(() => {
    door.server.getConnections((_error, count) => {
      cut = count;
      door.server.closeAllConnections();
    });
  }, graceMs);
  await door.close();
  clearTimeout(impatience);
  return cut;
}
