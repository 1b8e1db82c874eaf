import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer, request as send } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { blobName } from '@dragoman/context';
import { type RunningDragoman, runDragoman, serveDragoman, startFakeProvider, tempFolder } from '@dragoman/testkit';
import { expect, onTestFinished, test } from 'vitest';
import { codeBase, INDEXED_FILES, writeIn } from './code-base.fixture.ts';

const QUESTION = 'how often is a failed call retried?';

/** Posts to a running server; the answer and its status together. */
async function post({ url, token }: Pick<RunningDragoman, 'url' | 'token'>, path: string, body: object) {
  const response = await fetch(url + path, {
    method: 'POST',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
}

test('COMPAT-05 COMPAT-07 COMPAT-08 COMPAT-09 COMPAT-10 a folder indexed by command is answered about over HTTP, and an edit is found by the next question', async () => {
  const root = codeBase();
  const server = await serveDragoman();
  expect(await post(server, '/search', { query: QUESTION })).toEqual({ status: 200, body: { results: [] } });
  await runDragoman(['index', root], server); // On the same data, while the server runs.

  for (const path of ['/search', '/codebase_search', '/gateway/search', '/gateway/codebase_search'])
    expect(await post(server, path, { query: QUESTION, limit: 1 })).toMatchObject({
      status: 200,
      body: { results: [{ path: 'src/retry.ts', symbol: 'mayRetry' }] },
    });
  expect(await post(server, '/find_symbol', { name: 'check_password' })).toMatchObject({
    status: 200,
    body: { results: [{ path: 'src/login.py', start: 1, end: 2 }] },
  });
  const context = await post(server, '/context', { query: QUESTION });
  expect(context.status).toBe(200);
  expect(context.body['context']).toContain('Path: src/retry.ts');
  expect(await post(server, '/workspace_context', {})).toMatchObject({
    status: 200,
    body: { root, files: INDEXED_FILES, languages: expect.arrayContaining([expect.objectContaining({ files: 1 })]) },
  });

  writeIn(root, 'src/bell.ts', 'export function ringTheBell() {\n  return true;\n}\n');
  expect((await post(server, '/find_symbol', { name: 'ringTheBell' })).body).toMatchObject({
    results: [{ path: 'src/bell.ts' }],
  });
  writeIn(root, 'src/bell.ts', 'export function ringTheGong() {\n  return true;\n}\n');
  expect((await post(server, '/find_symbol', { name: 'ringTheGong' })).body).toMatchObject({
    results: [{ path: 'src/bell.ts' }],
  });
  expect((await post(server, '/find_symbol', { name: 'ringTheBell' })).body).toEqual({ results: [] });
});

test('SYNC-86 a folder is kept on another of our servers, which is sent packed uploads, and asked there', async () => {
  const [root, home] = [codeBase(), tempFolder()];
  writeIn(root, 'src/long.ts', Array.from({ length: 200 }, (_, n) => `export const value${n} = ${n};\n`).join(''));
  const server = await serveDragoman();
  const { url, uploads } = await watchUploads(server.url);
  const env = { DRAGOMAN_TOKEN: server.token };
  const index = async () =>
    JSON.parse((await runDragoman(['index', root, '--server', url, '--json'], { home, env })).stdout) as object;

  expect(await index()).toMatchObject({ root, files: INDEXED_FILES + 1, indexed: INDEXED_FILES + 1 });
  expect(uploads).toEqual(['gzip']);
  expect(await index()).toMatchObject({ files: INDEXED_FILES + 1, indexed: 0 });

  const found = await runDragoman(['search', QUESTION, '--dir', root, '--server', url], { home, env });
  expect({ exitCode: found.exitCode, stderr: found.stderr }).toEqual({ exitCode: 0, stderr: '' });
  expect(found.stdout).toContain('Path: src/retry.ts');
  expect(found.stdout).toContain('MAX_RETRIES = 3');
  const json = await runDragoman(['search', QUESTION, '--dir', root, '--server', url, '--json'], { home, env });
  expect(JSON.parse(json.stdout)).toEqual({ root, text: found.stdout });
  expect(uploads).toEqual(['gzip']);
});

test('another user of that server, who has nothing there yet, gets everything uploaded and then an answer', async () => {
  const [root, home] = [codeBase(), tempFolder()];
  const server = await serveDragoman();
  const search = (token: string) =>
    runDragoman(['search', QUESTION, '--dir', root, '--server', server.url], { home, env: { DRAGOMAN_TOKEN: token } });
  expect((await search(server.token)).stdout).toContain('Path: src/');

  const made = await runDragoman(['token', 'create', 'theirs', '--user', 'ada', '--role', 'member', '--json'], server);
  const { token } = JSON.parse(made.stdout) as { token: string };
  expect((await search(token)).stdout).toContain('Path: src/');
  const wrong = await search('DGM_NOSUCHTOKEN');
  expect(wrong.exitCode).toBe(1);
  expect(wrong.stderr).toContain('token');
});

test('BYOK-12 BYOK-27 BYOK-79 BYOK-87 with ripgrep the words are looked for in a folder, and nothing is stored or leaves', async () => {
  const [root, home] = [codeBase(), tempFolder()];
  const official = await startFakeProvider();
  const retrieval = { engine: 'ripgrep', root };
  writeFileSync(join(home, 'dragoman.json'), JSON.stringify({ retrieval, augment: { baseUrl: official.url } }));
  const server = await serveDragoman([], { home });
  const ask = (body: object) => post(server, '/agents/codebase-retrieval', { blobs: {}, ...body });

  const { status, body } = await ask({ information_request: 'where is check_password' });
  expect(status).toBe(200);
  const text = body['formatted_retrieval'] as string;
  expect(
    text.startsWith(`codebase-retrieval (local rg)\nquery: where is check_password\nworkspaceRoot: ${root}\n\n# `),
  ).toBe(true);
  expect(text).toMatch(/\n# check_password\n\S*src\/login\.py:1\D/);
  expect(text.endsWith('\n')).toBe(true);
  expect(await ask({})).toEqual({
    status: 200,
    body: { formatted_retrieval: 'codebase-retrieval: missing information_request/query' },
  });

  const content = 'export const kept = false;\n';
  const name = blobName('a.ts', Buffer.from(content));
  expect(await post(server, '/find-missing', { model: '', mem_object_names: [name] })).toEqual({
    status: 200,
    body: { unknown_memory_names: [], nonindexed_blob_names: [] },
  });
  expect(await post(server, '/batch-upload', { blobs: [{ blob_name: name, path: 'a.ts', content }] })).toEqual({
    status: 200,
    body: { blob_names: [name] },
  });
  expect(
    await post(server, '/checkpoint-blobs', { blobs: { checkpoint_id: null, added_blobs: [name], deleted_blobs: [] } }),
  ).toEqual({ status: 200, body: { new_checkpoint_id: expect.stringMatching(/./) } });

  // With the index again, it turns out that nothing of this was kept.
  writeFileSync(join(home, 'dragoman.json'), JSON.stringify({ augment: { baseUrl: official.url } }));
  await server.untilLogged('the configuration was read again');
  expect(await post(server, '/find-missing', { model: '', mem_object_names: [name] })).toEqual({
    status: 200,
    body: { unknown_memory_names: [name], nonindexed_blob_names: [] },
  });
  expect(official.requests).toEqual([]);
});

/** Stands before a server, passes everything on, and notes how uploads are packed. */
async function watchUploads(target: string): Promise<{ url: string; uploads: (string | undefined)[] }> {
  const uploads: (string | undefined)[] = [];
  const proxy = createServer((incoming, outgoing) => {
    if (incoming.url === '/batch-upload') uploads.push(incoming.headers['content-encoding']);
    const { method = 'GET', headers } = incoming;
    const onward = send(new URL(incoming.url!, target), { method, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode!, answer.headers);
      answer.pipe(outgoing);
    });
    incoming.pipe(onward);
  });
  proxy.listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  onTestFinished(() => {
    proxy.closeAllConnections();
    proxy.close();
  });
  return { url: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`, uploads };
}
