import { mkdirSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { tempFolder } from '@dragoman/testkit';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { describe, expect, onTestFinished, test } from 'vitest';
import { type ContextDoor, openContextDoor } from '../routes/context-door.fixture.ts';

/** A folder with one function in it. */
function codeIn(name: string, folder = realpathSync(tempFolder())): string {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, `${name}.ts`), `/** Pays the bill. */\nexport function ${name}() {\n  return 1;\n}\n`);
  return folder;
}

interface Connecting {
  token?: string;
  mode?: 'legacy' | 'auto';
  headers?: Record<string, string>;
}

async function connect(
  { url, tokenOf }: ContextDoor,
  folders: readonly string[],
  { token = tokenOf.admin, mode = 'auto', headers = {} }: Connecting = {},
): Promise<Client> {
  const address = new URL('/mcp', url);
  for (const folder of folders) address.searchParams.append('workspace', folder);
  const client = new Client({ name: 'test', version: '0' }, { versionNegotiation: { mode } });
  await client.connect(
    new StreamableHTTPClientTransport(address, {
      requestInit: { headers: { authorization: `Bearer ${token}`, ...headers } },
    }),
  );
  onTestFinished(() => client.close());
  return client;
}

const ask = (client: Client, query: string, folder?: string) =>
  client.callTool({
    name: 'codebase-retrieval',
    arguments: { information_request: query, ...(folder !== undefined && { workspace_folder: folder }) },
  });
const textOf = async (answer: ReturnType<typeof ask>) =>
  (await answer).content.map((part) => ('text' in part ? part.text : '')).join('');

describe('over HTTP', () => {
  test.each(['legacy', 'auto'] as const)(
    'the official client finds the tools and asks about the folder it named (%s negotiation)',
    async (mode) => {
      const door = await openContextDoor();
      const folder = codeIn('payBill', join(realpathSync(tempFolder()), 'größe 二'));
      const client = await connect(door, [folder], { mode });

      expect(client.getServerVersion()).toMatchObject({ name: 'dragoman' });
      expect((await client.listTools()).tools.map(({ name }) => name)).toEqual([
        'codebase-retrieval',
        'find-symbol',
        'list-workspaces',
      ]);
      expect(await textOf(ask(client, 'where is the bill paid?'))).toContain('Path: payBill.ts');
      expect(await client.callTool({ name: 'find-symbol', arguments: { name: 'payBill' } })).toMatchObject({
        content: [{ text: expect.stringContaining('export function payBill()') as string }],
      });
      expect(await client.callTool({ name: 'list-workspaces' })).toMatchObject({
        content: [{ text: `größe 二: ${folder} (1 file)` }],
      });
    },
  );

  test('a window with two folders is asked about both, and about one where the model names it', async () => {
    const door = await openContextDoor();
    const [shop, notes] = [codeIn('payShop'), codeIn('payNotes')];
    const client = await connect(door, [shop, notes]);

    const both = await textOf(ask(client, 'pays the bill'));
    expect([both.includes('payShop.ts'), both.includes('payNotes.ts')]).toEqual([true, true]);
    const one = await textOf(ask(client, 'pays the bill', notes));
    expect([one.includes('payShop.ts'), one.includes('payNotes.ts')]).toEqual([false, true]);
  });
});

test('folders may be named by a header, whatever is in their names', async () => {
  const door = await openContextDoor();
  const [shop, notes] = [codeIn('payShop', join(realpathSync(tempFolder()), 'a, b&c=%20二')), codeIn('payNotes')];
  const named = [shop, notes].map(encodeURIComponent).join(', ');
  const client = await connect(door, [], { headers: { 'x-dragoman-workspace': named } });

  const both = await textOf(ask(client, 'pays the bill'));
  expect([both.includes('payShop.ts'), both.includes('payNotes.ts')]).toEqual([true, true]);
  expect((await door.ask('/mcp', {}, { 'x-dragoman-workspace': '%zz' }))['status']).toBe(400);
});

describe('who may ask', () => {
  test('nobody without a token', async () => {
    const { call } = await openContextDoor();
    for (const method of ['GET', 'POST', 'DELETE'])
      expect((await call('/mcp', { method, headers: { authorization: 'none' } })).status).toBe(401);
  });

  test.each([
    'https://evil.example',
    'http://localhost:1',
    'null',
    'not an origin',
    'evil://127.0.0.1',
    'http://127.0.0.1.evil.example',
  ])('no page of another origin, as MCP demands: %s is refused with 403, with a token and without', async (origin) => {
    const { call } = await openContextDoor({ server: { corsOrigins: ['https://app.example'] } });
    for (const method of ['GET', 'POST', 'DELETE'])
      for (const headers of [{ origin }, { origin, authorization: 'none' }]) {
        const { status, body } = await call('/mcp', { method, headers });
        expect([method, status, body]).toEqual([
          method,
          403,
          {
            error: expect.objectContaining({
              code: 'forbidden',
              message: expect.stringContaining('server.corsOrigins') as string,
            }) as unknown,
          },
        ]);
      }
  });

  test('a page of this server, of its public address and of an allowed origin, and a program that sends none', async () => {
    const door = await openContextDoor({
      server: { corsOrigins: ['https://app.example/'], publicUrl: 'https://dragoman.example' },
    });
    const { origin } = new URL(door.url);
    for (const allowed of [
      origin,
      origin.toUpperCase(),
      'https://dragoman.example',
      'https://app.example',
      undefined,
    ]) {
      const client = await connect(door, [], { headers: allowed === undefined ? {} : { origin: allowed } });
      expect((await client.listTools()).tools).toHaveLength(3);
    }
    const { headers } = await door.call('/mcp', {
      method: 'OPTIONS',
      headers: { authorization: 'none', origin: 'https://app.example', 'access-control-request-method': 'POST' },
    });
    expect(headers.get('access-control-allow-headers')?.split(', ')).toEqual(
      expect.arrayContaining([
        'authorization',
        'content-type',
        'mcp-protocol-version',
        'mcp-session-id',
        'last-event-id',
      ]),
    );
  });

  test('only an admin has a new folder indexed; a viewer is told so, and may ask once it is', async () => {
    const door = await openContextDoor();
    const folder = codeIn('payBill');
    const viewer = await connect(door, [folder], { token: door.tokenOf.viewer });

    expect(await ask(viewer, 'pay')).toMatchObject({
      isError: true,
      content: [{ text: expect.stringContaining('only an admin can have it indexed') as string }],
    });
    const missing = join(folder, 'gone');
    expect(await ask(await connect(door, [missing], { token: door.tokenOf.viewer }), 'pay')).toMatchObject({
      content: [{ text: expect.stringContaining(`: ${missing} was not indexed yet, and only an admin`) as string }],
    });
    await ask(await connect(door, [folder]), 'pay');
    expect(await textOf(ask(viewer, 'pays the bill'))).toContain('payBill.ts');
  });

  test.each([
    ['a whole home', () => homedir(), 'more than a code base'],
    ['a whole disk', () => '/', 'more than a code base'],
    ['a path that is not whole', () => 'src', 'is not a full path'],
    ['a folder that is not there', () => join(tempFolder(), 'gone'), 'is not a folder'],
  ])('%s is refused', async (_what, folder, reason) => {
    const client = await connect(await openContextDoor(), [folder()]);
    expect(await ask(client, 'pay')).toMatchObject({
      isError: true,
      content: [{ text: expect.stringContaining(reason) as string }],
    });
  });

  test('a model that names a folder outside, by path, by dots or through a link, is refused', async () => {
    const door = await openContextDoor();
    const [open, secret] = [codeIn('payBill'), codeIn('secretKey')];
    symlinkSync(secret, join(open, 'link'));
    const client = await connect(door, [open]);

    // Nothing is said of what is there, or where it leads.
    for (const folder of [secret, join(open, '..'), '..', join(open, 'link'), 'link', `${secret}/gone`, 'gone'])
      expect(await ask(client, 'secret', folder)).toMatchObject({
        isError: true,
        content: [{ text: expect.stringContaining(`: ${folder} is in no folder that is open here or was`) as string }],
      });
    expect(await textOf(client.callTool({ name: 'list-workspaces' }))).not.toContain(secret);
  });
});

test('there is nothing to look at without asking', async () => {
  const { url, tokenOf } = await openContextDoor();

  const { status } = await fetch(new URL('/mcp', url), {
    method: 'HEAD',
    headers: { authorization: `Bearer ${tokenOf.viewer}` },
  });

  expect(status).toBe(404);
});

test('a question whose client leaves is called off', async () => {
  const started = Promise.withResolvers<AbortSignal | undefined>();
  const door = await openContextDoor({
    wrapIndex: (index) => ({
      ...index,
      search: (_view, _question, signal) => {
        started.resolve(signal);
        return new Promise((_, reject) => signal?.addEventListener('abort', () => reject(new Error('called off'))));
      },
    }),
  });
  const client = await connect(door, [codeIn('payBill')]);
  const leaving = new AbortController();
  const asked = client.callTool(
    { name: 'codebase-retrieval', arguments: { information_request: 'pay' } },
    { signal: leaving.signal },
  );
  const outcome = asked.then(
    () => 'answered',
    () => 'refused',
  );
  const signal = (await started.promise)!;
  const stopped = new Promise<string>((resolve) => signal.addEventListener('abort', () => resolve('stopped')));
  leaving.abort();

  expect([await outcome, await stopped]).toEqual(['refused', 'stopped']);
});
