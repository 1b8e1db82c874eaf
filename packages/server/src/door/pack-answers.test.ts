import { request as httpRequest } from 'node:http';
import { Readable } from 'node:stream';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { openTestDoor } from '@dragoman/testkit';
import type { FastifyInstance } from 'fastify';
import { expect, test } from 'vitest';
import { packingFor } from './pack-answers.ts';

const LONG = { sessions: Array.from({ length: 100 }, (_, index) => ({ id: index, title: 'Mend the build – 修复' })) };
const TEXT = JSON.stringify(LONG);

function room(door: FastifyInstance): void {
  const config = { config: { access: 'viewer' } } as const;
  door.get('/api/long', config, () => LONG);
  door.get('/api/short', config, () => ({ short: true }));
  door.post('/api/token', config, () => LONG);
  door.get('/api/text', config, (_request, reply) => reply.type('text/plain').send(TEXT));
  door.get('/api/bytes', config, (_request, reply) => reply.type('application/json').send(Buffer.from(TEXT)));
  door.get('/api/stream', config, (_request, reply) =>
    reply.type('application/json').send(Readable.from([TEXT], { objectMode: false })),
  );
  door.get('/v1/long', config, () => LONG);
}

/** The answer as it was sent. */
async function open() {
  const { url, tokenOf } = await openTestDoor({}, room);
  const token = tokenOf.viewer;
  return (path: string, accepted?: string, { method = 'GET' } = {}) =>
    new Promise<{ headers: NodeJS.Dict<string | string[]>; bytes: Buffer }>((resolve, reject) => {
      const headers = {
        authorization: `Bearer ${token}`,
        ...(accepted !== undefined && { 'accept-encoding': accepted }),
      };
      httpRequest(url + path, { method, headers }, (answer) => {
        answer.toArray().then((pieces) => resolve({ headers: answer.headers, bytes: Buffer.concat(pieces) }), reject);
      })
        .on('error', reject)
        .end();
    });
}

test('a long answer is packed as the client takes it, with its length and what it depends on', async () => {
  const get = await open();

  const brotli = await get('/api/long', 'gzip, deflate, br');
  expect(brotliDecompressSync(brotli.bytes).toString()).toBe(TEXT);
  expect(brotli.headers).toMatchObject({
    'content-encoding': 'br',
    'content-length': String(brotli.bytes.length),
    'content-type': 'application/json; charset=utf-8',
    vary: 'accept-encoding',
  });
  expect(brotli.bytes.length).toBeLessThan(TEXT.length / 4);

  const gzipped = await get('/api/long', 'gzip');
  expect(gunzipSync(gzipped.bytes).toString()).toBe(TEXT);
  for (const accepted of [undefined, 'identity', 'br;q=0, gzip;q=0.0', 'compress']) {
    const plain = await get('/api/long', accepted);
    expect([plain.bytes.toString(), plain.headers['content-encoding'], plain.headers.vary]).toEqual([
      TEXT,
      undefined,
      'accept-encoding',
    ]);
  }
});

test('short answers, streams, bytes, other types, other routes and answers to what makes something are as they are', async () => {
  const get = await open();
  for (const path of ['/api/short', '/api/text', '/api/bytes', '/api/stream', '/v1/long'])
    expect([path, (await get(path, 'br, gzip')).headers['content-encoding']]).toEqual([path, undefined]);
  const made = await get('/api/token', 'br, gzip', { method: 'POST' });
  expect([made.bytes.toString(), made.headers['content-encoding']]).toEqual([TEXT, undefined]);
});

test.each([
  ['br', 'br'],
  ['GZIP;q=0.5 , BR;q=0.1', 'br'],
  ['gzip;q=1.0, br;q=0.000', 'gzip'],
  ['*', undefined],
  ['', undefined],
  ['brx, xgzip', undefined],
  [`${'a,'.repeat(100_000)}br`, undefined],
])('of %j the packing is %s', (accepted, packing) => {
  expect(packingFor(accepted)).toBe(packing);
});
