import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import type { FastifyInstance } from 'fastify';
import { expect, test } from 'vitest';
import { openTestDoor } from '@dragoman/testkit';
import { stopDoor } from './stop-door.ts';

/** A stream that goes on until the test ends it. */
function streamingRoom() {
  let finish = () => {};
  const room = (door: FastifyInstance) => {
    door.get('/stream', { config: { access: 'public' } }, (_request, reply) => {
      reply.hijack();
      reply.raw.write('first ');
      finish = () => reply.raw.end('last');
    });
  };
  return { room, finish: () => finish() };
}

async function open(url: string): Promise<IncomingMessage> {
  const [response] = (await once(get(`${url}/stream`), 'response')) as [IncomingMessage];
  await once(response, 'readable');
  return response;
}

test('a stream that ends in time is sent whole, and nothing new is let in meanwhile', async () => {
  const { room, finish } = streamingRoom();
  const { door, url } = await openTestDoor({}, room);
  const response = await open(url);

  const stopped = stopDoor(door, 60_000);
  await expect(fetch(`${url}/health`)).rejects.toThrow('fetch failed');
  finish();

  expect(String(Buffer.concat(await response.toArray()))).toBe('first last');
  expect(await stopped).toBe(0);
});

test('a stream that does not end in time is cut, and counted', async () => {
  const { room } = streamingRoom();
  const { door, url } = await openTestDoor({}, room);
  const response = await open(url);

  expect(await stopDoor(door, 50)).toBe(1);

  await expect(response.toArray()).rejects.toThrow('aborted');
});
