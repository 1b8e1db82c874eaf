import { expect, onTestFinished, test, vi } from 'vitest';
import { serveLocally } from './http-server.fixture.ts';
import { testServers, type TestedServers } from './mcp.fixture.ts';
import { type ProtectedServer, serveProtected } from './oauth-server.fixture.ts';

const READY_MS = 60_000;

async function protectedServer(): Promise<ProtectedServer> {
  const server = await serveProtected();
  onTestFinished(() => server.close());
  return server;
}

/** Where logins are kept, open to look into. */
function openStore() {
  const kept = new Map<string, string>();
  return {
    kept,
    get: (server: string) => kept.get(server),
    set: (server: string, value: string) => void kept.set(server, value),
    delete: (server: string) => void kept.delete(server),
  };
}

/** A person who opens an address and goes wherever it leads. */
const browse = async (url: string): Promise<Response> => await fetch(url);

function becomes(servers: TestedServers, status: object): Promise<void> {
  return vi.waitFor(() => expect(servers.status()).toMatchObject([status]), READY_MS);
}

async function loginAddress(servers: TestedServers): Promise<string> {
  await becomes(servers, { state: 'needs-login', url: expect.stringContaining('http') });
  const [status] = servers.status();
  return status?.state === 'needs-login' ? status.url! : '';
}

test('a server that asks for it is logged in to in the browser, once', async () => {
  const { url, authority, mcp } = await protectedServer();
  const authStore = openStore();
  const opened: string[] = [];
  const openBrowser = (address: string): void => {
    opened.push(address);
    void browse(address);
  };
  const settings = { demo: { url, headers: { 'X-Key': 'not for others' } } };
  const servers = testServers(settings, { authStore, openBrowser });

  await becomes(servers, { state: 'connected' });
  expect(await servers.call('demo_echo', { text: 'inside' })).toMatchObject({ output: 'inside' });
  await servers.close();
  const again = testServers(settings, { authStore, openBrowser });
  await again.ready(READY_MS);

  expect(again.status()).toMatchObject([{ state: 'connected' }]);
  expect(opened).toHaveLength(1);
  expect(Object.fromEntries(new URL(opened[0]!).searchParams)).toMatchObject({
    code_challenge_method: 'S256',
    redirect_uri: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/callback$/),
    resource: url,
  });
  expect(authority.requests.filter(({ headers }) => headers['x-key'] !== undefined)).toEqual([]);
  expect(mcp.requests.filter(({ headers }) => headers['x-key'] === undefined)).toEqual([]);
});

test('where nobody can open a browser, the address stands in the status until somebody does', async () => {
  const { url } = await protectedServer();
  const servers = testServers({ demo: { url } });
  await servers.ready(READY_MS);
  const address = await loginAddress(servers);

  const page = await browse(address);

  expect([page.status, await page.text()]).toEqual([200, expect.stringContaining('You are logged in.')]);
  await becomes(servers, { state: 'connected' });
  expect(servers.problems).toEqual([]);
});

test('an answer with another state changes nothing, and the right one still counts', async () => {
  const { url } = await protectedServer();
  const servers = testServers({ demo: { url } });
  await servers.ready(READY_MS);
  const address = await loginAddress(servers);
  const callback = new URL(address).searchParams.get('redirect_uri')!;

  const forged = await browse(`${callback}?code=stolen&state=guessed`);
  const elsewhere = await browse(callback.replace('/callback', '/'));

  expect([forged.status, elsewhere.status]).toEqual([400, 400]);
  expect(servers.status()).toMatchObject([{ state: 'needs-login', url: address }]);
  await browse(address);
  await becomes(servers, { state: 'connected' });
});

test('a login that is refused is told, and can be begun again', async () => {
  const server = await protectedServer();
  server.answer = 'refuse';
  const servers = testServers({ demo: { url: server.url } });
  await servers.ready(READY_MS);

  const page = await browse(await loginAddress(servers));
  expect(await page.text()).toContain('The login was refused.');
  await vi.waitFor(
    () =>
      expect(servers.problems).toEqual([
        { server: 'demo', message: 'the login did not succeed: the login was refused: access_denied' },
      ]),
    READY_MS,
  );
  expect(servers.status()).toEqual([{ name: 'demo', state: 'needs-login', tools: 0 }]);

  server.answer = 'agree';
  await servers.login('demo');
  await browse(await loginAddress(servers));
  await becomes(servers, { state: 'connected' });
});

test('a login that nobody finishes is over after its time, and its address no longer stands there', async () => {
  const { url } = await protectedServer();
  const servers = testServers({ demo: { url } }, { timing: { loginMs: 50 } });

  await vi.waitFor(
    () =>
      expect(servers.problems).toEqual([
        { server: 'demo', message: 'the login did not succeed: nobody logged in within 0.05 s' },
      ]),
    READY_MS,
  );
  expect(servers.status()).toEqual([{ name: 'demo', state: 'needs-login', tools: 0 }]);
});

test('a token that has run out is refreshed in the middle of the work', async () => {
  const { url, expire } = await protectedServer();
  const authStore = openStore();
  const servers = testServers({ demo: { url } }, { authStore, openBrowser: (address) => void browse(address) });
  await becomes(servers, { state: 'connected' });
  const before = authStore.kept.get('demo');

  expire();

  expect(await servers.call('demo_echo', { text: 'still here' })).toMatchObject({ output: 'still here' });
  expect(authStore.kept.get('demo')).not.toBe(before);
  expect(servers.problems).toEqual([]);
});

test('when the login is taken back, calls say that a person is needed, without the address', async () => {
  const { url, revoke } = await protectedServer();
  const authStore = openStore();
  const first = testServers({ demo: { url } }, { authStore, openBrowser: (address) => void browse(address) });
  await becomes(first, { state: 'connected' });
  await first.close();
  const servers = testServers({ demo: { url } }, { authStore });
  await servers.ready(READY_MS);

  revoke();

  await expect(servers.call('demo_echo', { text: 'hello?' })).rejects.toThrow(
    /^The MCP server "demo" needs a person to log in first\. Say so, and go on without it\.$/,
  );
  await browse(await loginAddress(servers));
  await becomes(servers, { state: 'connected' });
});

test('a client that was registered by hand is used with its secret, which is kept nowhere else', async () => {
  const { url, clients } = await protectedServer();
  const authStore = openStore();
  clients.set('by-hand', { redirect_uris: [], client_secret: 'hand-made-secret' });
  const settings = { demo: { url, oauth: { clientId: 'by-hand', clientSecret: 'hand-made-secret', scope: 'read' } } };
  const servers = testServers(settings, { authStore });
  await servers.ready(READY_MS);
  const address = await loginAddress(servers);
  clients.get('by-hand')!.redirect_uris.push(new URL(address).searchParams.get('redirect_uri')!);

  await browse(address);

  await becomes(servers, { state: 'connected' });
  expect(new URL(address).searchParams.get('scope')).toBe('read');
  expect([...clients.keys()]).toEqual(['by-hand']);
  expect([...authStore.kept.values()].join('')).not.toContain('hand-made-secret');
});

test('a client is registered again when the way back it was registered with is taken', async () => {
  const { url, revoke, clients } = await protectedServer();
  const authStore = openStore();
  const first = testServers({ demo: { url } }, { authStore, openBrowser: (address) => void browse(address) });
  await becomes(first, { state: 'connected' });
  await first.close();
  const wayBack = clients.get('client-1')!.redirect_uris[0]!;
  const squatter = await serveLocally(() => undefined, Number(new URL(wayBack).port));
  onTestFinished(() => squatter.close());
  revoke();

  const servers = testServers({ demo: { url } }, { authStore });
  await servers.ready(READY_MS);
  const address = new URL(await loginAddress(servers));

  expect(address.searchParams.get('client_id')).toBe('client-2');
  expect(address.searchParams.get('redirect_uri')).not.toBe(wayBack);
  await browse(address.href);
  await becomes(servers, { state: 'connected' });
});

test('a login belongs to the address it was made at', async () => {
  const [one, other] = [await protectedServer(), await protectedServer()];
  const authStore = openStore();
  const first = testServers({ demo: { url: one.url } }, { authStore, openBrowser: (address) => void browse(address) });
  await becomes(first, { state: 'connected' });

  const second = testServers({ demo: { url: other.url } }, { authStore });
  await second.ready(READY_MS);

  expect(second.status()).toMatchObject([{ state: 'needs-login' }]);
  expect(other.mcp.requests.filter(({ headers }) => headers.authorization !== undefined)).toEqual([]);
});

test('logging out forgets the login', async () => {
  const { url } = await protectedServer();
  const authStore = openStore();
  const shown: string[] = [];
  const servers = testServers(
    { demo: { url } },
    { authStore, openBrowser: (address) => void (shown.push(address) === 1 && browse(address)) },
  );
  await becomes(servers, { state: 'connected' });

  expect(await servers.logout('demo')).toMatchObject({ state: 'needs-login' });
  expect(shown).toHaveLength(2);
  expect([...authStore.kept.values()].join('')).not.toContain('access-');
});

test('a server that must not be logged in to just fails', async () => {
  const { url } = await protectedServer();
  const servers = testServers({ demo: { url, oauth: false } }, { timing: { reconnectMs: () => 60_000 } });
  await servers.ready(READY_MS);

  expect(servers.status()).toMatchObject([{ state: 'failed', reason: expect.stringContaining('log in') }]);
  await expect(servers.login('nobody')).rejects.toMatchObject({ code: 'not-found' });
});

test('a way back that is fixed and taken is told', async () => {
  const { url, mcp } = await protectedServer();
  const port = Number(new URL(mcp.origin).port);
  const servers = testServers(
    { demo: { url, oauth: { callbackPort: port } } },
    { timing: { reconnectMs: () => 60_000 } },
  );
  await servers.ready(READY_MS);

  expect(servers.status()).toMatchObject([
    { state: 'failed', reason: `no login can come back to this machine: port ${port} is taken` },
  ]);
});
