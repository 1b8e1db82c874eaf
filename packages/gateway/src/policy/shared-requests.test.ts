import { openStore } from '@dragoman/server';
import { freshLocation } from '@dragoman/testkit';
import { expect, onTestFinished, test } from 'vitest';
import { RequestWindow } from './request-window.ts';
import { SharedRequests } from './shared-requests.ts';

const soon = { timeout: 60_000, interval: 10 };

test('requests to any of the servers on one PostgreSQL count towards the limit at all of them', async () => {
  const location = await freshLocation('postgres');
  const serve = async () => {
    const store = await openStore(location, { rooms: [] });
    const window = new RequestWindow({ requests: 3, windowMs: 60_000 });
    const shared = new SharedRequests({ store, window, log: { warn: () => {} } });
    onTestFinished(async () => {
      await shared.close();
      await store.close();
    });
    return {
      window,
      take(client: string) {
        const { isAllowed } = window.take(client);
        if (isAllowed) shared.tell(client);
        return isAllowed;
      },
    };
  };
  const [a, b] = [await serve(), await serve()];
  // Each hears the other once both listen.
  await expect.poll(() => (a.take('first'), b.window.remaining('first')), soon).toBeLessThan(3);
  await expect.poll(() => (b.take('second'), a.window.remaining('second')), soon).toBeLessThan(3);

  expect([a.take('c'), b.take('c')]).toEqual([true, true]);
  await expect.poll(() => [a.window.remaining('c'), b.window.remaining('c')], soon).toEqual([1, 1]);
  expect(a.take('c')).toBe(true);
  await expect.poll(() => b.window.remaining('c'), soon).toBe(0);

  expect([a.take('c'), b.take('c'), a.take('d')]).toEqual([false, false, true]);
});
