import { expect, test } from 'vitest';
import { loginHeaders, openTestDoor, type TestDoor } from '@dragoman/testkit';

const NO_TOKEN = { authorization: 'none' };

async function login({ call, tokens }: TestDoor, headers: Record<string, string> = {}) {
  const user = await tokens.openUser('owner', 'admin');
  const code = await tokens.createLoginCode(user.id, 60_000);
  return call('/api/login', {
    method: 'POST',
    headers: { ...NO_TOKEN, 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ code }),
  });
}

/** What a page of the server sends once it is logged in. */
async function pageOf(door: TestDoor) {
  const answer = await login(door);
  return { ...NO_TOKEN, ...loginHeaders(answer, answer.body) };
}

test('the code of a login link becomes a cookie that scripts and other sites cannot use, and a secret of the page', async () => {
  const door = await openTestDoor();

  const answer = await login(door);

  const { port } = new URL(door.url);
  expect(answer.status).toBe(200);
  expect(answer.headers.get('set-cookie')).toMatch(
    new RegExp(
      `^dragoman_login_${port}=DGM_[A-Z2-7]{40}; Path=/; Max-Age=(2592000|2591999); HttpOnly; SameSite=Strict$`,
    ),
  );
  expect(answer.body).toEqual({ pageSecret: expect.stringMatching(/^[A-Z2-7]{32}$/) });
  const { cookie, ...page } = loginHeaders(answer, answer.body);
  const headers = { ...NO_TOKEN, ...page, cookie: `other=1; ${cookie}` };
  expect((await door.call('/api/me', { headers })).body).toMatchObject({ user: { name: 'owner' }, role: 'admin' });
});

test('what another port of the host is sent lets nobody in: not as a cookie, not as a token, not with a guess', async () => {
  const door = await openTestDoor();
  const { cookie, 'x-dragoman-page': pageSecret } = await pageOf(door);
  const value = cookie.split('=')[1]!;
  const statusOf = async (headers: Record<string, string>) =>
    (await door.call('/api/me', { headers: { ...NO_TOKEN, ...headers } })).status;

  expect(await statusOf({ cookie })).toBe(401);
  expect(await statusOf({ cookie, 'x-dragoman-page': '' })).toBe(401);
  expect(await statusOf({ cookie, 'x-dragoman-page': 'A'.repeat(32) })).toBe(401);
  expect(await statusOf({ authorization: `Bearer ${value}` })).toBe(401);
  expect(await statusOf({ 'x-api-key': value })).toBe(401);
  expect(await statusOf({ authorization: `Bearer ${value}${pageSecret}` })).toBe(401);
  expect(await statusOf({ authorization: `Bearer ${value}`, 'x-dragoman-page': pageSecret })).toBe(401);
  expect(await statusOf({ 'x-dragoman-page': pageSecret })).toBe(401);
});

test('a token in the place of the cookie lets nobody in', async () => {
  const door = await openTestDoor();
  const name = (await pageOf(door)).cookie.split('=')[0]!;
  const headers = { ...NO_TOKEN, cookie: `${name}=${door.tokenOf.admin}`, 'x-dragoman-page': '' };

  expect((await door.call('/api/me', { headers })).status).toBe(401);
  expect((await door.call('/api/me', { headers: { ...headers, 'x-dragoman-page': 'X' } })).status).toBe(401);
});

test('a link of somebody else than who is logged in is refused and stays good; one of theirs logs in anew', async () => {
  const door = await openTestDoor();
  const [ann, bob] = [await door.tokens.openUser('ann', 'member'), await door.tokens.openUser('bob', 'member')];
  const code = await door.tokens.createLoginCode(bob.id, 60_000);
  const logIn = (userId?: string) =>
    door.call('/api/login', {
      method: 'POST',
      headers: { ...NO_TOKEN, 'content-type': 'application/json' },
      body: JSON.stringify({ code, userId }),
    });

  expect(await logIn(ann.id)).toMatchObject({
    status: 409,
    body: { error: { message: 'This login link is for a different user than the one who is logged in.' } },
  });
  expect((await logIn(bob.id)).status).toBe(200);
  expect((await logIn(ann.id)).status).toBe(401);
});

test('what a browser kept of the server goes when it is logged out', async () => {
  const door = await openTestDoor();
  const headers = { ...(await pageOf(door)), 'content-type': 'application/json' };
  const { headers: answer } = await door.call('/api/logout', { method: 'POST', headers, body: '{}' });
  expect(answer.get('clear-site-data')).toBe('"cache"');
});

test('behind a public https address the cookie is for https alone', async () => {
  const { headers } = await login(await openTestDoor({ publicUrl: 'https://dragoman.example.com' }));

  expect(headers.get('set-cookie')).toMatch(/; Secure$/);
});

test('a code that is wrong or used is refused with the way to a new one', async () => {
  const { call } = await openTestDoor();

  const { status, body } = await call('/api/login', {
    method: 'POST',
    headers: { ...NO_TOKEN, 'content-type': 'application/json' },
    body: '{"code":"USED"}',
  });

  expect(status).toBe(401);
  expect(body.error?.message).toBe(
    'This login link has expired or was already used. Create a new one with: dragoman token link',
  );
});

test('another page cannot use the cookie, not even one on another port of this machine', async () => {
  const door = await openTestDoor();
  const page = await pageOf(door);
  const logout = (headers: Record<string, string>) =>
    door.call('/api/logout', { method: 'POST', headers: { ...page, ...headers } });

  expect((await logout({ origin: 'http://localhost:3000' })).status).toBe(403);
  expect((await logout({ 'sec-fetch-site': 'same-site' })).status).toBe(403);
  expect((await login(door, { origin: 'http://evil.example' })).status).toBe(403);
  expect((await logout({ origin: door.url, 'sec-fetch-site': 'same-origin' })).status).toBe(200);
});

test('logging out ends the login for good', async () => {
  const door = await openTestDoor();
  const page = await pageOf(door);

  const { headers } = await door.call('/api/logout', { method: 'POST', headers: page });

  expect(headers.get('set-cookie')).toContain('Max-Age=0');
  expect((await door.call('/api/me', { headers: page })).body.error?.message).toContain('was revoked');
});
