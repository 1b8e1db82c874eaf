import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { once } from 'node:events';
import { expect, onTestFinished, test } from 'vitest';
import { takeLease } from './lease.ts';

test('a lease is one open request with the token, until it is closed', async () => {
  const closed = Promise.withResolvers<void>();
  const seen: unknown[] = [];
  const url = await serve((request, response) => {
    seen.push([request.url, request.headers.authorization]);
    response.writeHead(200, { 'content-type': 'text/event-stream' }).write(': here\n\n');
    request.on('close', () => closed.resolve());
  });

  const answer = await takeLease({ url, token: 'T' });

  if (answer.kind !== 'held') throw new Error(answer.kind);
  expect(seen).toEqual([['/api/lease', 'Bearer T']]);
  answer.lease.close();
  await closed.promise;
  await answer.lease.ended;
});

test('folders are named with a lease, whatever is in their names', async () => {
  const seen: unknown[] = [];
  const url = await serve((request, response) => {
    seen.push(new URL(request.url!, 'http://x').searchParams.getAll('workspace'));
    response.writeHead(200).write(': here\n\n');
  });

  const answer = await takeLease({ url, token: 'T', folders: ['/work/a b&c=%20二', '/work/shop'] });

  if (answer.kind !== 'held') throw new Error(answer.kind);
  expect(seen).toEqual([['/work/a b&c=%20二', '/work/shop']]);
  answer.lease.close();
});

test('a lease ends with the server, and when nothing is heard for too long', async () => {
  const ending = await serve((_request, response) => response.writeHead(200).write(':\n', () => response.destroy()));
  const silent = await serve((_request, response) => response.writeHead(200).write(':\n'));
  for (const url of [ending, silent]) {
    const answer = await takeLease({ url, token: 'T' }, { silenceMs: 50 });
    if (answer.kind !== 'held') throw new Error(answer.kind);
    expect(await answer.lease.ended).toBeUndefined();
  }
});

test.for([
  [401, { kind: 'refused' }],
  [403, { kind: 'refused' }],
  [404, { kind: 'without' }],
  [302, { kind: 'away', reason: 'HTTP 302' }],
  [503, { kind: 'away', reason: 'HTTP 503' }],
] as const)('an answer of %i means %o, and nothing is followed', async ([status, expected]) => {
  const url = await serve((_request, response) => response.writeHead(status, { location: '/elsewhere' }).end());
  expect(await takeLease({ url, token: 'T' })).toEqual(expected);
});

test('nobody there and no answer in time are told apart from a refusal', async () => {
  const gone = await serve(() => {});
  expect(await takeLease({ url: gone, token: 'T' }, { answerMs: 30 })).toEqual({
    kind: 'away',
    reason: 'no answer in 0.03 s',
  });
  expect(await takeLease({ url: 'http://127.0.0.1:1', token: 'T' })).toEqual({ kind: 'away', reason: 'ECONNREFUSED' });
});

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
