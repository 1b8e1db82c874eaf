import { createMcpHandler } from '@modelcontextprotocol/server';
import { expect, onTestFinished, test, vi } from 'vitest';
import { demoServer } from './demo-server.fixture.ts';
import { demoHttpHandler, type LocalServer, serveLocally } from './http-server.fixture.ts';
import { testServers } from './mcp.fixture.ts';
import { demoSseHandler } from './sse-server.fixture.ts';

const READY_MS = 60_000;

async function serve(...args: Parameters<typeof serveLocally>): Promise<LocalServer> {
  const server = await serveLocally(...args);
  onTestFinished(() => server.close());
  return server;
}

test('a server is reached over streamable HTTP, with the headers that were given [FR-47]', async () => {
  const { origin, requests } = await serve(demoHttpHandler());
  const servers = testServers({ demo: { url: `${origin}/mcp`, headers: { 'X-Key': 'abc', Accept: 'nonsense' } } });
  await servers.ready(READY_MS);

  expect(servers.status()).toEqual([{ name: 'demo', state: 'connected', tools: 9 }]);
  expect(await servers.call('demo_echo', { text: 'over http' })).toMatchObject({ output: 'over http' });
  expect(new Set(requests.map(({ headers }) => headers['x-key']))).toEqual(new Set(['abc']));
  await servers.close();
  expect(requests.at(-1)).toMatchObject({ method: 'DELETE', path: '/mcp' });
});

test('changes and progress come through over HTTP too', async () => {
  const { origin } = await serve(demoHttpHandler());
  const servers = testServers({ demo: { url: `${origin}/mcp` } });
  await servers.ready(READY_MS);
  const shown: unknown[] = [];

  await servers.call('demo_work', {}, { metadata: ({ title }) => shown.push(title) });
  await servers.call('demo_grow');

  expect(shown).toEqual(['step 1', 'step 2']);
  await vi.waitFor(() => expect(servers.tools.has('demo_late')).toBe(true), READY_MS);
});

test('a server that refuses streamable HTTP is spoken to over SSE', async () => {
  const { origin, requests } = await serve(demoSseHandler());
  const servers = testServers({ demo: { url: `${origin}/sse`, headers: { 'X-Key': 'abc' } } });
  await servers.ready(READY_MS);

  expect(servers.status()).toEqual([{ name: 'demo', state: 'connected', tools: 9 }]);
  expect(await servers.call('demo_echo', { text: 'over sse' })).toMatchObject({ output: 'over sse' });
  expect(requests[0]).toMatchObject({ method: 'POST', path: '/sse' });
  expect(new Set(requests.map(({ headers }) => headers['x-key']))).toEqual(new Set(['abc']));
});

test('the transport that is named is the only one that is tried', async () => {
  const { origin, requests } = await serve(demoSseHandler());
  const servers = testServers(
    { sse: { url: `${origin}/sse`, transport: 'sse' }, http: { url: `${origin}/sse`, transport: 'http' } },
    { timing: { reconnectMs: () => 60_000 } },
  );
  await servers.ready(READY_MS);

  expect(servers.status()).toMatchObject([
    { name: 'sse', state: 'connected' },
    { name: 'http', state: 'failed', reason: expect.stringContaining('Only GET is known here.') },
  ]);
  expect(requests.filter(({ method, path }) => method === 'GET' && path === '/sse')).toHaveLength(1);
});

test('a server that knows neither says what was wrong both times', async () => {
  const { origin } = await serve(() => new Response('go away', { status: 418 }));
  const servers = testServers({ demo: { url: `${origin}/mcp` } }, { timing: { reconnectMs: () => 60_000 } });
  await servers.ready(READY_MS);

  expect(servers.status()).toMatchObject([{ state: 'failed', reason: expect.stringMatching(/go away.*over SSE: /s) }]);
});

test('a server that speaks only the newer protocol is greeted in that, over HTTP too', async () => {
  const { fetch, close } = createMcpHandler(demoServer, { legacy: 'reject' });
  onTestFinished(() => close());
  const { origin } = await serve((request) => fetch(request));
  const servers = testServers({ demo: { url: `${origin}/mcp` } });
  await servers.ready(READY_MS);

  expect(servers.status()).toEqual([{ name: 'demo', state: 'connected', tools: 9 }]);
  expect(await servers.call('demo_echo', { text: 'new' })).toMatchObject({ output: 'new' });
});

test('a server that has forgotten the session is asked again in a new one', async () => {
  let handle = demoHttpHandler();
  const { origin } = await serve((request) => handle(request));
  const servers = testServers({ demo: { url: `${origin}/mcp` } });
  await servers.ready(READY_MS);

  handle = demoHttpHandler();

  expect(await servers.call('demo_echo', { text: 'again' })).toMatchObject({ output: 'again' });
  expect(servers.problems).toEqual([{ server: 'demo', message: 'it has forgotten the session' }]);
});

test('a server that is gone is noticed, and found again when it is back', async () => {
  const first = await serve(demoHttpHandler());
  const servers = testServers({ demo: { url: `${first.origin}/mcp` } });
  await servers.ready(READY_MS);

  await first.close();
  await expect(servers.call('demo_echo', { text: 'anybody?' })).rejects.toMatchObject({ name: 'ToolError' });
  await vi.waitFor(() => expect(servers.status()).toMatchObject([{ state: 'failed' }]), READY_MS);

  await serve(demoHttpHandler(), Number(new URL(first.origin).port));
  await vi.waitFor(() => expect(servers.status()).toMatchObject([{ state: 'connected' }]), READY_MS);
  expect(await servers.call('demo_echo', { text: 'back' })).toMatchObject({ output: 'back' });
});

test('a key that is refused is told, and no login is begun for it', async () => {
  const { origin, requests } = await serve(() => new Response('bad key', { status: 401 }));
  const servers = testServers(
    { demo: { url: `${origin}/mcp`, headers: { Authorization: 'Bearer wrong' } } },
    { timing: { reconnectMs: () => 60_000 } },
  );
  await servers.ready(READY_MS);

  expect(servers.status()).toMatchObject([{ state: 'failed', reason: expect.stringContaining('bad key') }]);
  expect(requests).toHaveLength(1);
});
