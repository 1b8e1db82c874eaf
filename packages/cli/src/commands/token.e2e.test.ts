import { runDragoman, serveDragoman, tempFolder } from '@dragoman/testkit';
import { expect, test } from 'vitest';

test('a token is shown once, listed without its text, and refused once it is revoked', async () => {
  const home = tempFolder();
  const server = await serveDragoman([], { home });
  const status = async (token: string) =>
    (await fetch(`${server.url}/api/me`, { headers: { 'x-api-key': token } })).status;

  const { stdout } = await runDragoman(['token', 'create', 'laptop', '--role', 'viewer', '--expires', '30d'], { home });
  const token = stdout.trim();
  expect(await status(token)).toBe(200);

  const list = await runDragoman(['token', 'list'], { home });
  expect(list.stdout).toMatch(
    /^id +name +user +role +models +made +last used +state\ntok_\w{26} +laptop +owner +viewer +all .* active until /,
  );
  expect(list.stdout).not.toContain(token.slice(4));

  const revoked = await runDragoman(['token', 'revoke', 'laptop'], { home });
  expect(revoked.stdout).toBe('Revoked the token "laptop" of owner.\n');
  expect(await status(token)).toBe(401);
});

test('a script gets JSON', async () => {
  const home = tempFolder();

  const created = JSON.parse(
    (await runDragoman(['token', 'create', 'ci', '--user', 'robot', '--role', 'viewer', '--json'], { home })).stdout,
  );
  const listed = JSON.parse((await runDragoman(['token', 'list', '--json'], { home })).stdout);

  expect(created).toEqual({ id: expect.stringMatching(/^tok_/), token: expect.stringMatching(/^DGM_/) });
  expect(listed).toEqual([
    {
      id: created.id,
      name: 'ci',
      userId: expect.stringMatching(/^usr_/),
      user: 'robot',
      role: 'viewer',
      kind: 'client',
      createdAt: expect.any(Number),
      expiresAt: null,
      lastUsedAt: null,
      revokedAt: null,
      models: null,
    },
  ]);
});

test('a token may be limited to some models', async () => {
  const home = tempFolder();
  const server = await serveDragoman([], { home });
  const { stdout } = await runDragoman(['token', 'create', 'ci', '--role', 'models', '--models', 'offline/*, fast'], {
    home,
  });
  const ask = async (model: string) => {
    const response = await fetch(`${server.url}/v1/chat/completions`, {
      method: 'POST',
      headers: { 'x-api-key': stdout.trim(), 'content-type': 'application/json' },
      body: JSON.stringify({ model, messages: [{ role: 'user', content: 'hi' }] }),
    });
    const { error } = (await response.json()) as { error?: { message: string } };
    return `${response.status} ${error?.message ?? ''}`;
  };

  expect(await ask('offline/offline')).toMatch(/^200 /);
  expect(await ask('gpt-5')).toBe('403 The token "ci" cannot use the model "gpt-5". It can use: offline/*, fast.');
  expect((await runDragoman(['token', 'list'], { home })).stdout).toMatch(/ci +owner +models +offline\/\*,fast /);
});

test('a wrong role, a wrong time and an unknown token are refused with what was expected', async () => {
  const home = tempFolder();
  const refusal = async (...args: string[]) => {
    const { exitCode, stderr } = await runDragoman(['token', ...args], { home });
    return `${exitCode} ${stderr.trim()}`;
  };

  expect(await refusal('create', 'x', '--role', 'king')).toBe(
    '2 dragoman: --role: expected models, viewer, member, admin, found "king"',
  );
  expect(await refusal('create', 'x', '--expires', 'soon')).toBe(
    '2 dragoman: --expires: expected a duration such as 12h or 30d, or a date such as 2027-01-31, found "soon"',
  );
  expect(await refusal('create', 'x', '--expires', '2001-01-01')).toBe(
    '2 dragoman: --expires: 2001-01-01 is not in the future',
  );
  expect(await refusal('create', 'x', '--models', 'fast,a*b')).toBe(
    '2 dragoman: --models: expected a route or provider/model, with "*" at its end alone, found "a*b"',
  );
  expect(await refusal('revoke', 'nobody')).toBe(
    '1 dragoman: There is no active token with the ID or name "nobody". See: dragoman token list',
  );
});
