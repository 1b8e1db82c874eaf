import { openStore } from '@dragoman/server';
import { freshLocation } from '@dragoman/testkit';
import { expect, onTestFinished, test } from 'vitest';
import { ConcurrencyLimit } from './concurrency-limit.ts';
import { RequestWindow } from './request-window.ts';
import { SharedLimits } from './shared-limits.ts';

const soon = { timeout: 60_000, interval: 10 };

/** A server on this database, as far as limits go. */
async function serve(location: Awaited<ReturnType<typeof freshLocation>>) {
  const store = await openStore(location, { rooms: [] });
  const window = new RequestWindow({ requests: 3, windowMs: 60_000 });
  const concurrency = new ConcurrencyLimit(() => 2);
  const shared = new SharedLimits({ store, window, concurrency, log: { warn: () => {} } });
  onTestFinished(async () => {
    await shared.close();
    await store.close();
  });
  return {
    window,
    take(client: string) {
      const { isAllowed } = window.take(client);
      if (isAllowed) shared.began(client);
      return isAllowed;
    },
    enter(client: string) {
      const leave = concurrency.enter(client);
      if (leave === undefined) return undefined;
      shared.began(client);
      return () => {
        leave();
        shared.ended(client);
      };
    },
  };
}

/** Two servers that hear each other. */
async function serveTwo() {
  const location = await freshLocation('postgres');
  const [a, b] = [await serve(location), await serve(location)];
  await expect.poll(() => (a.take('first'), b.window.remaining('first')), soon).toBeLessThan(3);
  await expect.poll(() => (b.take('second'), a.window.remaining('second')), soon).toBeLessThan(3);
  return { a, b };
}

test('requests to any of the servers on one PostgreSQL count towards the limit at all of them', async () => {
  const { a, b } = await serveTwo();

  expect([a.take('c'), b.take('c')]).toEqual([true, true]);
  await expect.poll(() => [a.window.remaining('c'), b.window.remaining('c')], soon).toEqual([1, 1]);
  expect(a.take('c')).toBe(true);
  await expect.poll(() => b.window.remaining('c'), soon).toBe(0);

  expect([a.take('c'), b.take('c'), a.take('d')]).toEqual([false, false, true]);
});

test('requests that are under way at one of the servers count at all of them until they are over', async () => {
  const { a, b } = await serveTwo();
  const leave = a.enter('c')!;
  a.enter('c');
  const isLetIn = () => {
    const out = b.enter('c');
    out?.();
    return out !== undefined;
  };

  await expect.poll(isLetIn, soon).toBe(false);
  leave();

  await expect.poll(isLetIn, soon).toBe(true);
});
