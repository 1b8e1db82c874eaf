import { openTestDoor } from '@dragoman/testkit';
import { expect, test } from 'vitest';
import { Leases } from './leases.ts';

test('leases are idle when none came, and not while one is open', async () => {
  const [held, free] = [new Leases(), new Leases()];
  const leave = [held.enter(), held.enter()];
  let isIdle = false;
  const idle = held.untilIdle(1).then(() => (isIdle = true));

  await free.untilIdle(1);
  expect(isIdle).toBe(false);

  leave[0]!();
  leave[0]!(); // Once more changes nothing: the other one is still open.
  const later = new Leases();
  await later.untilIdle(1);
  expect(isIdle).toBe(false);

  leave[1]!();
  expect(await idle).toBe(true);
});

test('a lease is a stream that says it is there, for everybody with a token', async () => {
  const { url, call, tokenOf } = await openTestDoor();
  expect((await call('/api/lease', { headers: { authorization: 'none' } })).status).toBe(401);

  const leaving = new AbortController();
  const lease = await fetch(`${url}/api/lease`, {
    headers: { authorization: `Bearer ${tokenOf.viewer}` },
    signal: leaving.signal,
  });
  const { value } = await lease.body!.getReader().read();
  leaving.abort();

  expect(lease.headers.get('content-type')).toBe('text/event-stream');
  expect(new TextDecoder().decode(value)).toBe(': here\n\n');
});

test('a lease tells which folders are open in its window, for as long as it lasts', () => {
  const leases = new Leases();
  const leave = [leases.enter(['/a', '/b']), leases.enter(), leases.enter(['/b', '/c'])];
  expect(leases.folders()).toEqual(['/a', '/b', '/c']);

  leave[0]!();
  expect(leases.folders()).toEqual(['/b', '/c']);
  leave[2]!();
  expect(leases.folders()).toEqual([]);
});

test('only an admin names folders with a lease, by full paths', async () => {
  const { url, tokenOf } = await openTestDoor();
  const hold = async (query: string, token: string) => {
    const leaving = new AbortController();
    const lease = await fetch(`${url}/api/lease?${query}`, {
      headers: { authorization: `Bearer ${token}` },
      signal: leaving.signal,
    });
    if (lease.status === 200) leaving.abort();
    else return [lease.status, ((await lease.json()) as { error: { message: string } }).error.message];
    return [200];
  };

  expect(await hold('workspace=%2Fwork%2Fshop&workspace=%2Fwork%2Fa%20b', tokenOf.admin)).toEqual([200]);
  expect(await hold('workspace=%2Fwork%2Fshop', tokenOf.member)).toEqual([
    403,
    'workspace: only an admin can choose the folders to search.',
  ]);
  expect(await hold('workspace=src', tokenOf.admin)).toEqual([400, 'workspace: "src" is not a full path.']);
  expect((await hold(Array(33).fill('workspace=%2Fa').join('&'), tokenOf.admin))[0]).toBe(400);
  expect((await hold(`workspace=%2F${'a'.repeat(5000)}`, tokenOf.admin))[0]).toBe(400);
});

test('a lease ends when the server stops', async () => {
  const { url, tokenOf, stopping } = await openTestDoor();
  const lease = await fetch(`${url}/api/lease`, { headers: { authorization: `Bearer ${tokenOf.viewer}` } });

  stopping.abort();

  expect(await lease.text()).toBe(': here\n\n');
});
