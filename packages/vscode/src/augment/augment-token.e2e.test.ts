import { createConsoleClient } from '@dragoman/protocol/console';
import { serveDragoman, tempFolder } from '@dragoman/testkit';
import { beforeEach, expect, test } from 'vitest';
import type { RunningServer } from '../server/server-link.ts';
import { freshEditor, standInContext } from '../vscode.fixture.ts';
import { augmentToken } from './augment-token.ts';

beforeEach(() => void freshEditor());

const MEMBER_CALLS = ['/get-models', '/chat-stream', '/completion', '/edit', '/find-missing', '/batch-upload'];
const RETRIEVAL = '/agents/codebase-retrieval';
const ADMIN_CALLS = [
  'GET /api/settings',
  'PATCH /api/settings',
  'GET /api/users',
  'POST /api/users',
  'GET /api/diagnostics',
];

async function serve(): Promise<RunningServer> {
  const { url, token } = await serveDragoman();
  return { url, token, origin: 'bundled' };
}

/** The status of a call with nothing in it, in capitals as the Augment extension sends the token. */
async function statusOf({ url }: RunningServer, token: string, path: string, method = 'POST'): Promise<number> {
  const answer = await fetch(url + path, {
    method,
    headers: { authorization: `Bearer ${token.toUpperCase()}`, 'content-type': 'application/json' },
    ...(method !== 'GET' && { body: '{}' }),
  });
  await answer.arrayBuffer();
  return answer.status;
}

test('the token of the Augment extension opens what it asks for, and nothing that administers the server', async () => {
  const server = await serve();
  const text = await augmentToken(standInContext(tempFolder())).of(server);

  expect(text).toMatch(/^DGM_[A-Z2-7]{40}$/);
  expect(text).not.toBe(server.token);
  for (const path of [...MEMBER_CALLS, RETRIEVAL])
    expect([path, [401, 403, 404].includes(await statusOf(server, text, path))]).toEqual([path, false]);
  for (const call of ADMIN_CALLS) {
    const [method, path] = call.split(' ');
    expect([call, await statusOf(server, text, path!, method)]).toEqual([call, 403]);
  }
});

test('it is made once, made again when the server does not know it, and opens nothing once it is revoked', async () => {
  const server = await serve();
  const context = standInContext(tempFolder());
  const token = augmentToken(context);
  const client = createConsoleClient(server);
  const names = async () => (await client.listTokens()).tokens.filter(({ role }) => role === 'member');

  const first = await token.of(server);
  expect([await token.of(server), (await names()).length]).toEqual([first, 1]);

  await client.revokeToken({ tokenId: (await names())[0]!.id });
  const second = await augmentToken(context).of(server);
  expect([second === first, await statusOf(server, first, '/get-models')]).toEqual([false, 401]);
  expect(await statusOf(server, second, '/get-models')).toBe(200);

  await token.revoke(async () => server);
  expect([await statusOf(server, second, '/get-models'), await names()]).toEqual([401, []]);
});

test('on another server it is another one, and the first server forgets the one it made', async () => {
  const [one, other] = [await serve(), await serve()];
  const token = augmentToken(standInContext(tempFolder()));
  const first = await token.of(one);
  const second = await token.of(other);
  expect(await statusOf(other, second, '/get-models')).toBe(200);
  await expect.poll(() => statusOf(one, first, '/get-models')).toBe(401);
});

test('a person who is a member of a server makes one there too, and who may only look is told', async () => {
  const server = await serve();
  const client = createConsoleClient(server);
  const as = async (role: 'member' | 'viewer') => {
    const { text } = await client.createToken({ name: role, role });
    return { ...server, token: text };
  };
  expect(await augmentToken(standInContext(tempFolder())).of(await as('member'))).toMatch(/^DGM_/);
  await expect(augmentToken(standInContext(tempFolder())).of(await as('viewer'))).rejects.toThrow(
    `Your token for ${server.url} is view-only`,
  );
});
