import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { expect, onTestFinished, test } from 'vitest';
import { boundedFetch } from './bounded-fetch.ts';

async function serve(count: number): Promise<string> {
  const server = createServer((_, response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    const bytes = Buffer.alloc(1024 * 1024, 'x');
    Readable.from(Array.from({ length: count }, () => bytes)).pipe(response);
  }).listen(0, '127.0.0.1');
  onTestFinished(() => server.close().closeAllConnections());
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

test('an answer within the limit comes as it is, with its status and headers', async () => {
  const answer = await boundedFetch(await serve(5));
  expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/json']);
  expect((await answer.text()).length).toBe(5 * 1024 * 1024);
});

test('an answer that is larger than the limit is given up', async () => {
  const answer = await boundedFetch(await serve(100));
  await expect(answer.text()).rejects.toThrow("The provider's answer is too large: more than 33554432 bytes.");
});
