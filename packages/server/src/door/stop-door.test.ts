import { once } from 'node:events';
import { get, type IncomingMessage, request } from 'node:http';
import { connect, type Socket } from 'node:net';
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

test.each([
  ['never said a word', ''],
  ['is in the middle of a header', 'GET /health HTTP/1.1\r\nhost: loc'],
  [
    'had an answer and began another request',
    'GET /health HTTP/1.1\r\nhost: localhost\r\n\r\nGET /health HTTP/1.1\r\nhost',
  ],
  [
    'said how long its body is and sends none of it',
    'POST /auth/login HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\ncontent-length: 20\r\n\r\n',
  ],
])('a connection that %s does not hold a stop', async (_title, words) => {
  const { door, url } = await openTestDoor();
  const arrived = once(door.server, 'connection');
  const socket = connect(Number(new URL(url).port), '127.0.0.1')
    .on('error', () => {})
    .resume();
  const ended = once(socket, 'close');
  if (words !== '') await new Promise<unknown>((resolve) => socket.write(words, resolve));
  const [seen] = (await arrived) as [Socket];
  await expect.poll(() => seen.bytesRead).toBe(words.length);

  expect(await stopDoor(door, 60_000)).toBe(0);
  await ended;
});

test('a request whose body comes slowly is answered while the server stops', async () => {
  const { door, url } = await openTestDoor({}, (room) => {
    room.post('/echo', { config: { access: 'public' } }, async (request) => request.body);
  });
  const asked = request(`${url}/echo`, { method: 'POST', headers: { 'content-type': 'application/json' } });
  const answered = once(asked, 'response');
  const arrived = once(door.server, 'request');
  asked.write('{"said":');
  await arrived;

  const stopped = stopDoor(door, 60_000);
  asked.end('"whole"}');

  const [response] = (await answered) as [IncomingMessage];
  expect(String(Buffer.concat(await response.toArray()))).toBe('{"said":"whole"}');
  expect(await stopped).toBe(0);
});
