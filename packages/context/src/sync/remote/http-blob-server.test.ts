import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gunzipSync } from 'node:zlib';
import { DragomanError } from '@dragoman/protocol';
import { openTestDoor } from '@dragoman/testkit';
import { expect, onTestFinished, test } from 'vitest';
import { ManualClock } from '../pipeline/manual-clock.fixture.ts';
import { MemoryBlobServer } from '../pipeline/memory-blob-server.fixture.ts';
import { blobName } from '../blob-name.ts';
import { HttpBlobServer } from './http-blob-server.ts';
import { isDragoman } from './is-dragoman.ts';

interface Seen {
  path: string;
  headers: IncomingHttpHeaders;
  body: Record<string, unknown>;
}

/** A server that speaks the protocol as the reference has it, with a memory behind it. */
async function startServer({ prefix = '' } = {}) {
  const memory = new MemoryBlobServer({ isInstant: false });
  const seen: Seen[] = [];
  const closed: string[] = [];
  let override: ((path: string, response: ServerResponse) => boolean) | undefined;
  const answers: Record<string, (body: never) => Promise<object> | object> = {
    '/find-missing': async ({ mem_object_names: names }: { mem_object_names: string[] }) => {
      const { unknown, nonindexed } = await memory.findMissing(names);
      return { unknown_memory_names: unknown, nonindexed_blob_names: nonindexed };
    },
    '/batch-upload': async ({ blobs }: { blobs: { blob_name: string; path: string; content: string }[] }) => ({
      blob_names: await memory.batchUpload(
        blobs.map(({ blob_name: name, path, content }) => ({ blobName: name, path, content })),
      ),
    }),
    '/checkpoint-blobs': () => ({ new_checkpoint_id: 'checkpoint-1' }),
    '/agents/codebase-retrieval': ({ information_request: question }: { information_request: string }) => ({
      formatted_retrieval: `Path: a.ts for ${question}`,
    }),
    '/get-models': () => ({ default_model: 'm', models: [], feature_flags: { max_upload_size_bytes: 131_072 } }),
  };
  const server = createServer((incoming, outgoing) => {
    void (async () => {
      const bytes = Buffer.concat(await incoming.toArray());
      const isPacked = incoming.headers['content-encoding'] === 'gzip';
      const body = JSON.parse(String(isPacked ? gunzipSync(bytes) : bytes) || '{}') as never;
      const path = incoming.url!.slice(prefix.length);
      seen.push({ path, headers: incoming.headers, body });
      outgoing.once('close', () => closed.push(path));
      if (override?.(path, outgoing) === true) return;
      outgoing.setHeader('content-type', 'application/json');
      outgoing.end(JSON.stringify(await answers[path]!(body)));
    })();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}${prefix}`;
  return {
    url,
    memory,
    seen,
    closed,
    answer: (path: string, status: number, body: string, headers: Record<string, string> = {}) => {
      override = (asked, response) => {
        if (asked !== path) return false;
        response.writeHead(status, headers).end(body);
        return true;
      };
    },
    hold: (path: string) => {
      override = (asked) => asked === path;
    },
    stop: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

function connect(url: string, options: { isDragoman?: boolean; clock?: ManualClock } = {}) {
  const client = new HttpBlobServer({ baseUrl: url, token: 'TOKEN-1', isDragoman: false, ...options });
  onTestFinished(() => client.close());
  return client;
}

const A = { blobName: blobName('a.ts', 'let a;'), path: 'a.ts', content: 'let a;' };
const LARGE_CONTENT = 'let b;\n'.repeat(1_000);
const LARGE = { blobName: blobName('b.ts', LARGE_CONTENT), path: 'b.ts', content: LARGE_CONTENT };
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

test('blobs are probed and uploaded in the words of the wire, under a token and a request id', async () => {
  const { url, seen, memory } = await startServer({ prefix: '/tenant' });
  const client = connect(`${url}/`);

  expect(await client.findMissing([A.blobName])).toEqual({ unknown: [A.blobName], nonindexed: [] });
  expect(await client.batchUpload([A])).toEqual([A.blobName]);
  expect(await client.findMissing([A.blobName])).toEqual({ unknown: [], nonindexed: [A.blobName] });
  memory.index();
  expect(await client.findMissing([A.blobName])).toEqual({ unknown: [], nonindexed: [] });

  expect(seen.slice(0, 2).map(({ path, body }) => ({ path, body }))).toEqual([
    { path: '/find-missing', body: { model: '', mem_object_names: [A.blobName] } },
    { path: '/batch-upload', body: { blobs: [{ blob_name: A.blobName, path: 'a.ts', content: 'let a;' }] } },
  ]);
  expect(new Set(seen.map(({ headers }) => headers.authorization))).toEqual(new Set(['Bearer TOKEN-1']));
  expect(seen.every(({ headers }) => UUID.test(String(headers['x-request-id'])))).toBe(true);
  expect(new Set(seen.map(({ headers }) => headers['x-request-id'])).size).toBe(4);
});

test('the size the server announces is followed, and none is made up [SYNC-11]', async () => {
  const { url, answer } = await startServer();
  const client = connect(url);

  expect(await client.maxBlobBytes()).toBe(131_072);
  for (const flags of ['{}', 'null', '{"max_upload_size_bytes":"many"}', '{"max_upload_size_bytes":0}']) {
    answer('/get-models', 200, `{"default_model":"m","models":[],"feature_flags":${flags}}`);
    expect(await client.maxBlobBytes()).toBeUndefined();
  }
});

test('a set of blobs becomes a checkpoint, and a question about it has an answer and a request id [SYNC-78]', async () => {
  const { url, seen } = await startServer();
  const client = connect(url);
  const blobs = { checkpointId: null, added: ['aa'], deleted: ['bb'] };

  expect(await client.checkpointBlobs(blobs)).toBe('checkpoint-1');
  expect(await client.retrieve({ query: 'where is it', blobs, maxLength: 9_000, requestId: 'request-7' })).toEqual({
    text: 'Path: a.ts for where is it',
    requestId: 'request-7',
  });
  expect((await client.retrieve({ query: 'again', blobs })).requestId).toMatch(UUID);

  expect(seen[0]!.body).toEqual({ blobs: { checkpoint_id: null, added_blobs: ['aa'], deleted_blobs: ['bb'] } });
  expect(seen[1]!.headers['x-request-id']).toBe('request-7');
  expect(seen[1]!.body).toEqual({
    information_request: 'where is it',
    blobs: { checkpoint_id: null, added_blobs: ['aa'], deleted_blobs: ['bb'] },
    dialog: [],
    max_output_length: 9_000,
    disable_codebase_retrieval: false,
    enable_commit_retrieval: false,
  });
});

test('a question is given up after 120,000 ms, and at once when the caller leaves [SYNC-78]', async () => {
  const { url, hold, seen, closed } = await startServer();
  const clock = new ManualClock();
  const client = connect(url, { clock });
  hold('/agents/codebase-retrieval');
  const blobs = { checkpointId: null, added: [], deleted: [] };

  const late = client.retrieve({ query: 'slow', blobs });
  expect(clock.waiting).toEqual([120_000]);
  while (seen.length === 0) await new Promise((resolve) => setImmediate(resolve));
  clock.advance(119_999);
  expect(clock.waiting).toEqual([1]);
  clock.advance(1);
  await expect(late).rejects.toMatchObject({ code: 'timed-out', isRetryable: true });

  const leaving = new AbortController();
  const left = client.retrieve({ query: 'never mind', blobs }, leaving.signal);
  while (seen.length === 1) await new Promise((resolve) => setImmediate(resolve));
  leaving.abort();
  await expect(left).rejects.toMatchObject({ code: 'cancelled' });
  await expect(client.retrieve({ query: 'no', blobs }, leaving.signal)).rejects.toMatchObject({ code: 'cancelled' });
  while (closed.length < 2) await new Promise((resolve) => setImmediate(resolve));
  expect(seen).toHaveLength(2);
  expect(clock.waiting).toEqual([]);
});

test('uploads are packed for our own server and for no other [SYNC-86]', async () => {
  const { url, seen, memory } = await startServer();

  await connect(url, { isDragoman: false }).batchUpload([LARGE]);
  await connect(url, { isDragoman: true }).batchUpload([LARGE]);
  await connect(url, { isDragoman: true }).findMissing([LARGE.blobName]);

  expect(seen.map(({ headers }) => headers['content-encoding'])).toEqual([undefined, 'gzip', undefined]);
  expect(Number(seen[1]!.headers['content-length'])).toBeLessThan(Number(seen[0]!.headers['content-length']) / 10);
  expect(memory.stored.get(LARGE.blobName)?.content).toBe(LARGE_CONTENT);
});

test('our own server is recognised by what it says of its health, and others are not [SYNC-86]', async () => {
  const ours = await openTestDoor();
  const other = await startServer();
  other.answer('/health', 200, '{"status":"ok"}');

  expect(await isDragoman(ours.url)).toBe(true);
  expect(await isDragoman(`${ours.url}/`)).toBe(true);
  expect(await isDragoman(other.url)).toBe(false);
  other.stop();
  expect(await isDragoman(other.url)).toBe(false);
});

test('our own server can be waited for, others are asked by the schedule of the sync', async () => {
  const { url, memory, seen } = await startServer();
  const clock = new ManualClock();
  const client = connect(url, { isDragoman: true, clock });
  await client.batchUpload([A]);

  const indexed = client.whenIndexed!([A.blobName]);
  await clock.untilWaiting(25);
  clock.advance(25);
  await clock.untilWaiting(50);
  memory.index();
  clock.advance(50);
  await indexed;

  expect(seen.map(({ path }) => path)).toEqual(['/batch-upload', '/find-missing', '/find-missing']);
  expect(connect(url).whenIndexed).toBeUndefined();
});

test.each([
  [401, '{"error":{"message":"unknown token"}}', 'unauthenticated', false],
  [403, '{"error":"not yours"}', 'forbidden', false],
  [404, '', 'not-found', false],
  [400, '{"message":"bad"}', 'bad-request', false],
  [413, '', 'too-large', false],
  [429, '', 'rate-limited', true],
  [499, '', 'unavailable', true],
  [500, '<html><body>sorry</body></html>', 'unavailable', true],
  [503, '', 'unavailable', true],
  [504, '', 'timed-out', true],
])('an answer %i is a clear error', async (status, body, code, isRetryable) => {
  const { url, answer } = await startServer();
  answer('/find-missing', status, body, { 'retry-after': '7' });

  const error = await connect(url)
    .findMissing(['aa'])
    .catch((caught: unknown) => caught as DragomanError);

  expect(error).toBeInstanceOf(DragomanError);
  expect(error).toMatchObject({ code, isRetryable, ...(isRetryable ? { retryAfterMs: 7_000 } : {}) });
  expect((error as DragomanError).message).toContain(`${url}/find-missing answered ${status}`);
});

test('a refused token says so, a server that is not there may come back, and nonsense is called that', async () => {
  const server = await startServer();
  const client = connect(server.url);

  server.answer('/find-missing', 401, '{"error":{"message":"Unknown token."}}');
  await expect(client.findMissing(['aa'])).rejects.toThrow(
    `The token was not accepted; check it, or make a new one. (${server.url}/find-missing answered 401: Unknown token.)`,
  );
  server.answer('/find-missing', 200, '<html>hello</html>');
  await expect(client.findMissing(['aa'])).rejects.toThrow('did not answer with JSON');
  server.answer('/find-missing', 200, '{"unknown_memory_names":7}');
  await expect(client.findMissing(['aa'])).rejects.toThrow('unknown_memory_names');
  server.answer('/find-missing', 200, '{"unknown_memory_names":null}');
  expect(await client.findMissing(['aa'])).toEqual({ unknown: [], nonindexed: [] });
  server.stop();
  await expect(client.findMissing(['aa'])).rejects.toMatchObject({ code: 'unavailable', isRetryable: true });
});
