import { expect, test } from 'vitest';
import { openTestDoor, type TestDoor } from '@dragoman/testkit';

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

test('the code of a login link becomes a cookie that scripts and other sites cannot use', async () => {
  const door = await openTestDoor();

  const { status, headers } = await login(door);

  expect(status).toBe(200);
  expect(headers.get('set-cookie')).toMatch(
    /^dragoman_login=DGM_[A-Z2-7]{40}; Path=\/; Max-Age=(2592000|2591999); HttpOnly; SameSite=Strict$/,
  );
  const cookie = headers.get('set-cookie')!.split(';')[0]!;
  expect((await door.call('/api/me', { headers: { ...NO_TOKEN, cookie: `other=1; ${cookie}` } })).body).toMatchObject({
    user: { name: 'owner' },
    role: 'admin',
  });
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
    'This login link was used already, or is too old. Make a new one with: dragoman token link',
  );
});

test('another page cannot use the cookie, not even one on another port of this machine', async () => {
  const door = await openTestDoor();
  const cookie = (await login(door)).headers.get('set-cookie')!.split(';')[0]!;
  const logout = (headers: Record<string, string>) =>
    door.call('/api/logout', { method: 'POST', headers: { ...NO_TOKEN, cookie, ...headers } });

  expect((await logout({ origin: 'http://localhost:3000' })).status).toBe(403);
  expect((await logout({ 'sec-fetch-site': 'same-site' })).status).toBe(403);
  expect((await login(door, { origin: 'http://evil.example' })).status).toBe(403);
  expect((await logout({ origin: door.url, 'sec-fetch-site': 'same-origin' })).status).toBe(200);
});

test('logging out ends the cookie for good', async () => {
  const door = await openTestDoor();
  const cookie = (await login(door)).headers.get('set-cookie')!.split(';')[0]!;

  const { headers } = await door.call('/api/logout', { method: 'POST', headers: { ...NO_TOKEN, cookie } });

  expect(headers.get('set-cookie')).toContain('Max-Age=0');
  expect((await door.call('/api/me', { headers: { ...NO_TOKEN, cookie } })).body.error?.message).toContain(
    'was revoked',
  );
});
