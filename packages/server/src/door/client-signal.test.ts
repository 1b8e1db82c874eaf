import { once } from 'node:events';
import { request } from 'node:http';
import type { FastifyInstance } from 'fastify';
import { expect, test } from 'vitest';
import { openTestDoor } from '@dragoman/testkit';
import { clientSignal } from './client-signal.ts';

/** A route that asks for the signal once the client has left, or at once and answers. */
function watchingRoom() {
  const came = Promise.withResolvers<void>();
  const heard = Promise.withResolvers<AbortSignal>();
  const room = (door: FastifyInstance) => {
    door.get('/late', { config: { access: 'public' } }, async (_request, reply) => {
      came.resolve();
      await once(reply.raw, 'close');
      heard.resolve(clientSignal(reply));
      return {};
    });
    door.get('/answered', { config: { access: 'public' } }, async (_request, reply) => {
      heard.resolve(clientSignal(reply));
      return {};
    });
  };
  return { room, came: came.promise, heard: heard.promise };
}

test('a client that left while the handler was being loaded is known to be gone', async () => {
  const { room, came, heard } = watchingRoom();
  const { url } = await openTestDoor({}, room);
  const asking = request(`${url}/late`).end();
  asking.on('error', () => {}); // It is cut off on purpose.

  await came;
  asking.destroy();

  expect((await heard).aborted).toBe(true);
});

test('a client that has its answer is not said to have left', async () => {
  const { room, heard } = watchingRoom();
  const { url } = await openTestDoor({}, room);

  await (await fetch(`${url}/answered`, { headers: { connection: 'close' } })).text();

  expect((await heard).aborted).toBe(false);
});
