import { SETTINGS_CALLS } from '@dragoman/protocol/console-calls';
import { loginHeaders, STORE_ENGINES } from '@dragoman/testkit';
import type { FastifyRequest } from 'fastify';
import { describe, expect, test } from 'vitest';
import type { Caller } from '../access/caller.ts';
import { openSettingsDoor } from './settings-door.fixture.ts';
import type { SettingsCallName } from './settings-plugin.ts';
import { settingsHandlers } from './settings-handlers.ts';

/** The shape of an answer is the contract's, without anything beside it. */
function expectExact<Name extends SettingsCallName>(name: Name, answer: unknown): void {
  expect(SETTINGS_CALLS[name].answer.parse(answer)).toEqual(answer);
}

describe.each(STORE_ENGINES)('on %s', (engine) => {
  test('a person is added, logs in with a link, is made more of and removed', async () => {
    const door = await openSettingsDoor({ engine });
    const ann = await door.admin.createUser({ name: ' ann ', role: 'viewer' });
    expectExact('createUser', ann);
    expect(ann).toMatchObject({ name: 'ann', role: 'viewer' });

    const link = await door.admin.createLoginLink({ userId: ann.id });
    expectExact('createLoginLink', link);
    expect(link.url).toMatch(/^https:\/\/dragoman\.example\/login#[A-Z2-7]{32}$/);
    const login = await door.call('/api/login', {
      method: 'POST',
      headers: { authorization: 'none', 'content-type': 'application/json' },
      body: JSON.stringify({ code: link.url.split('#')[1] }),
    });
    const page = loginHeaders(login, login.body);
    const me = () => door.call('/api/me', { headers: { authorization: 'none', ...page } });
    expect((await me()).body).toMatchObject({ name: 'ann', role: 'viewer' });

    expect(await door.admin.updateUser({ userId: ann.id, role: 'member' })).toMatchObject({ role: 'member' });
    const { users } = await door.admin.listUsers();
    expectExact('listUsers', { users });
    expect(users.map(({ name, role }) => `${name} ${role}`)).toEqual(['owner admin', 'ann member']);
    expect(users[1]!.lastSeenAt).toBeGreaterThan(0);

    expect(await door.admin.removeUser({ userId: ann.id })).toEqual({});
    expect((await me()).status).toBe(401);
  });

  test('streams of who is removed, may less or has a token revoked end with the call', async () => {
    const door = await openSettingsDoor({ engine });
    const ended: string[] = [];
    const open = async (name: string) => {
      const person = await door.person(name, 'member');
      const caller = (await door.tokens.verify(person.token)) as Caller;
      door.door.openStreams.enter(caller, () => ended.push(name));
      return { ...person, tokenId: caller.tokenId! };
    };
    const [ann, bob, cem] = [await open('ann'), await open('bob'), await open('cem')];
    await open('dee');

    await door.admin.removeUser({ userId: ann.id });
    expect(ended.splice(0)).toEqual(['ann']);
    await door.admin.updateUser({ userId: bob.id, role: 'viewer' });
    expect(ended.splice(0)).toContain('bob');
    await door.admin.revokeToken({ tokenId: cem.tokenId });
    expect(ended.splice(0)).toContain('cem');
    expect(ended).not.toContain('dee');
  });

  test('everybody makes tokens for themselves, sees their own, and ends them; an admin sees all', async () => {
    const door = await openSettingsDoor({ engine });
    const [ann, bob] = [await door.person('ann', 'viewer'), await door.person('bob', 'member')];
    const expiresAt = Date.now() + 60_000.5;

    const made = await ann.client.createToken({ name: ' laptop ', expiresAt });
    expectExact('createToken', made);
    expect(made.token).toMatchObject({
      name: 'laptop',
      kind: 'token',
      userName: 'ann',
      role: 'viewer',
      expiresAt: Math.floor(expiresAt),
      isThis: false,
    });
    expect(await door.clientOf(made.text).me()).toMatchObject({ name: 'ann', role: 'viewer' });

    const own = await ann.client.listTokens();
    expectExact('listTokens', own);
    expect(own.tokens.map(({ name, isThis }) => `${name} ${isThis}`)).toEqual(["ann's true", 'laptop false']);
    expect(JSON.stringify(own)).not.toContain(made.text);
    expect((await door.admin.listTokens()).tokens.map(({ userName }) => userName)).toEqual([
      'owner',
      'owner',
      'owner',
      'owner',
      'ann',
      'bob',
      'ann',
    ]);

    await expect(bob.client.revokeToken({ tokenId: made.token.id })).rejects.toMatchObject({ code: 'not-found' });
    expect(await ann.client.revokeToken({ tokenId: made.token.id })).toEqual({});
    expect((await ann.client.listTokens()).tokens.map(({ name }) => name)).toEqual(["ann's"]);
    await expect(door.clientOf(made.text).me()).rejects.toMatchObject({ code: 'unauthenticated' });
    await expect(ann.client.revokeToken({ tokenId: made.token.id })).rejects.toMatchObject({ code: 'not-found' });
  });
});

test('a token is never more than the token it was made with', async () => {
  const door = await openSettingsDoor();
  const weak = door.clientOf(door.tokenOf.viewer); // Of the owner, who is an admin.

  await expect(weak.createToken({ name: 'x', role: 'admin' })).rejects.toMatchObject({
    code: 'forbidden',
    message: 'Your role is viewer, so your tokens cannot have the role admin.',
  });
  await expect(weak.createToken({ name: 'x', role: 'models' })).rejects.toMatchObject({ code: 'forbidden' });
  const member = door.clientOf(door.tokenOf.member);
  expect((await member.createToken({ name: 'x', role: 'models' })).token.role).toBe('models');
  expect((await weak.createToken({ name: 'x' })).token.role).toBe('viewer');
  const { tokens } = await weak.listTokens();
  const strong = tokens.find(({ role }) => role === 'admin')!;
  await expect(weak.revokeToken({ tokenId: strong.id })).rejects.toMatchObject({
    code: 'forbidden',
    message: '"admin token" has the role admin; a token with the role viewer cannot revoke it.',
  });
});

test('a token neither outlives nor survives the one that made it, over any number of steps', async () => {
  const door = await openSettingsDoor();
  const ann = await door.person('ann', 'member');
  const tomorrow = Date.now() + 86_400_000;
  const first = await ann.client.createToken({ name: 'first', expiresAt: tomorrow });
  const byFirst = door.clientOf(first.text);

  const second = await byFirst.createToken({ name: 'second' });
  expect(second.token.expiresAt).toBe(tomorrow);
  await expect(byFirst.createToken({ name: 'third', expiresAt: tomorrow + 1 })).rejects.toMatchObject({
    code: 'forbidden',
    message: `The token "first" expires on ${new Date(tomorrow).toISOString()}; a token created with it cannot last longer.`,
  });
  const third = await door.clientOf(second.text).createToken({ name: 'third', expiresAt: tomorrow - 1 });
  expect(await door.clientOf(third.text).me()).toMatchObject({ name: 'ann' });

  await ann.client.revokeToken({ tokenId: first.token.id });
  for (const { text } of [first, second, third])
    await expect(door.clientOf(text).me()).rejects.toMatchObject({ code: 'unauthenticated' });
  expect(await ann.client.me()).toMatchObject({ name: 'ann' });
});

test('a token uses no more models than the one that made it, over any number of steps', async () => {
  const door = await openSettingsDoor();
  const first = await door.admin.createToken({
    name: 'first',
    role: 'member',
    models: [' cheap', 'openai/*', 'cheap'],
  });
  expectExact('createToken', first);
  expect(first.token.models).toEqual(['cheap', 'openai/*']);

  const second = await door.clientOf(first.text).createToken({ name: 'second' });
  expect(second.token.models).toEqual(['cheap', 'openai/*']);
  await expect(door.clientOf(second.text).createToken({ name: 'third', models: ['cheap', '*'] })).rejects.toMatchObject(
    {
      code: 'forbidden',
      message: 'models: this token cannot use "*", so it cannot create a token that can. It can use: cheap, openai/*.',
    },
  );
  const third = await door.clientOf(second.text).createToken({ name: 'third', models: ['openai/gpt-*'] });
  expect(third.token.models).toEqual(['openai/gpt-*']);
  await expect(door.admin.createToken({ name: 'x', models: ['a', 'b*c'] })).rejects.toMatchObject({
    code: 'bad-request',
    message: expect.stringMatching(/^models\.1: expected a route or provider\/model/),
  });
  const names = Object.fromEntries((await door.admin.listTokens()).tokens.map(({ name, models }) => [name, models]));
  expect(names).toMatchObject({ first: ['cheap', 'openai/*'], third: ['openai/gpt-*'], 'admin token': undefined });
});

test('a login link that a token made ends with it, used or not, and so does the browser that used it', async () => {
  const door = await openSettingsDoor();
  const ann = await door.person('ann', 'member');
  const tomorrow = Date.now() + 86_400_000;
  const made = await door.admin.createToken({ name: 'for a day', expiresAt: tomorrow });
  const [used, unused] = [
    await door.clientOf(made.text).createLoginLink({ userId: ann.id }),
    await door.clientOf(made.text).createLoginLink({ userId: ann.id }),
  ];
  const logIn = (url: string) =>
    door.call('/api/login', {
      method: 'POST',
      headers: { authorization: 'none', 'content-type': 'application/json' },
      body: JSON.stringify({ code: url.split('#')[1] }),
    });
  const login = await logIn(used.url);
  const me = () => door.call('/api/me', { headers: { authorization: 'none', ...loginHeaders(login, login.body) } });
  expect((await me()).status).toBe(200);
  expect((await ann.client.listTokens()).tokens.at(-1)).toMatchObject({ kind: 'browser', expiresAt: tomorrow });

  await door.admin.revokeToken({ tokenId: made.token.id });

  expect((await me()).status).toBe(401);
  expect((await logIn(unused.url)).status).toBe(401);
});

test('a browser that a token logged in makes nothing that outlives that token', async () => {
  const door = await openSettingsDoor();
  const tomorrow = Date.now() + 86_400_000;
  const made = await door.admin.createToken({ name: 'for a day', expiresAt: tomorrow });
  const { userId } = await door.admin.me();
  const post = (path: string, body: unknown, headers: Record<string, string> = {}) =>
    door.call(path, {
      method: 'POST',
      headers: { authorization: 'none', 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    });
  // The second link is made by the browser that the first one logged in.
  const first = await door.clientOf(made.text).createLoginLink({ userId });
  const login = await post('/api/login', { code: first.url.split('#')[1] });
  const second = await post(`/api/users/${userId}/login-link`, {}, loginHeaders(login, login.body));
  const again = await post('/api/login', { code: (second.body as unknown as { url: string }).url.split('#')[1] });
  const tokens = await Promise.all(
    [login, again].map(({ headers, body }) => post('/api/tokens', { name: 'x' }, loginHeaders({ headers }, body))),
  );

  for (const { body } of tokens) expect(body).toMatchObject({ token: { expiresAt: tomorrow } });
  await door.admin.revokeToken({ tokenId: made.token.id });
  for (const { body } of tokens)
    await expect(door.clientOf((body as unknown as { text: string }).text).me()).rejects.toMatchObject({
      code: 'unauthenticated',
    });
});

test('what a person makes at a browser stays when the browser is logged out', async () => {
  const door = await openSettingsDoor();
  const { url } = await door.admin.createLoginLink({ userId: (await door.person('ann', 'member')).id });
  const post = (path: string, body: unknown, headers: Record<string, string> = {}) =>
    door.call(path, {
      method: 'POST',
      headers: { authorization: 'none', 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    });
  const login = await post('/api/login', { code: url.split('#')[1] });
  const page = loginHeaders(login, login.body);

  const made = await post('/api/tokens', { name: 'laptop' }, page);
  await post('/api/logout', {}, page);

  expect(made.body).toMatchObject({ token: { name: 'laptop' } });
  expect(made.body).not.toHaveProperty('token.expiresAt');
  const { text } = made.body as unknown as { text: string };
  expect(await door.clientOf(text).me()).toMatchObject({ name: 'ann' });
});

test('a token that would have expired already, or never in any calendar, is refused', async () => {
  const door = await openSettingsDoor();

  for (const expiresAt of [Date.now() - 1, 1e300])
    await expect(door.admin.createToken({ name: 'x', expiresAt })).rejects.toMatchObject({
      code: 'bad-request',
      message: 'expiresAt: expected a time in the future, in milliseconds since 1970.',
    });
});

test('secrets are listed by name with what uses them, and go only when nothing does', async () => {
  const secretUses = (name: string) => (name === 'login' ? ['the login at a server'] : []);
  const door = await openSettingsDoor({ text: '{}', secretUses });
  await door.admin.changeSettings({
    changes: [
      { path: ['providers', 'my.own'], value: { type: 'chat', apiKey: ['{secret:used}', '{env:KEY}'] } },
      { path: ['providers', 'b'], value: { type: 'chat', headers: { auth: 'Bearer {secret:used}' } } },
    ],
    secrets: { used: 'sk-1', spare: 'sk-2', login: 'sk-3' },
  });

  const listed = await door.admin.listSecrets();
  expectExact('listSecrets', listed);
  expect(listed.secrets).toEqual([
    { name: 'login', usedBy: ['the login at a server'] },
    { name: 'spare', usedBy: [] },
    { name: 'used', usedBy: ['providers["my.own"].apiKey[0]', 'providers.b.headers.auth'] },
  ]);
  await expect(door.admin.removeSecret({ name: 'used' })).rejects.toMatchObject({
    code: 'conflict',
    message:
      'The secret used is used by providers["my.own"].apiKey[0], providers.b.headers.auth. Remove it there first.',
  });
  await expect(door.admin.removeSecret({ name: 'ghost' })).rejects.toMatchObject({ code: 'not-found' });
  expect(await door.admin.removeSecret({ name: 'spare' })).toEqual({});
  expect(door.secrets()).toEqual({ used: 'sk-1', login: 'sk-3' });
});

test('what the server is, is told to everybody; where its data are, to admins', async () => {
  const door = await openSettingsDoor({ dataFolder: '/data' });

  const [seen, all] = [await door.clientOf(door.tokenOf.member).about(), await door.admin.about()];

  expectExact('about', all);
  expect(all).toEqual({
    version: '1.2.3',
    node: process.versions.node,
    platform: `${process.platform} ${process.arch}`,
    startedAt: 1_000,
    store: 'sqlite',
    memoryBytes: expect.any(Number) as number,
    dataFolder: '/data',
    publicUrl: 'https://dragoman.example',
  });
  expect(seen.dataFolder).toBe(undefined);
});

test('things are looked at once for all who ask meanwhile', async () => {
  const looked = Promise.withResolvers<void>();
  let looks = 0;
  const door = await openSettingsDoor({
    async diagnose() {
      looks++;
      await looked.promise;
      return {
        findings: [{ subject: 'database', isWell: false, says: 'gone' }],
        settings: [{ setting: 'log.level', value: '"info"', from: 'default' }],
      };
    },
  });
  const { diagnose } = settingsHandlers(door.parts);
  const request = {} as FastifyRequest; // Everybody who may ask gets the same.

  const asked = [diagnose(request), diagnose(request)];
  expect(looks).toBe(1);
  looked.resolve();
  expect(await asked[0]).toEqual(await asked[1]);
  const answer = await door.admin.diagnose();

  expect(looks).toBe(2);
  expectExact('diagnose', answer);
  expect(answer).toEqual({
    isWell: false,
    findings: [{ subject: 'database', isWell: false, says: 'gone' }],
    settings: [{ setting: 'log.level', value: '"info"', from: 'default' }],
  });
});
