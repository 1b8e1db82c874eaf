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

test('a lease ends when the server stops', async () => {
  const { url, tokenOf, stopping } = await openTestDoor();
  const lease = await fetch(`${url}/api/lease`, { headers: { authorization: `Bearer ${tokenOf.viewer}` } });

  stopping.abort();

  expect(await lease.text()).toBe(': here\n\n');
});
