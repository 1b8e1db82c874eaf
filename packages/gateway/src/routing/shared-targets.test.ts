import { DragomanError } from '@dragoman/protocol';
import { openStore } from '@dragoman/server';
import { freshLocation } from '@dragoman/testkit';
import { expect, onTestFinished, test } from 'vitest';
import { ProviderRefusal } from '../upstreams/upstream-error.ts';
import { KeyPool } from './key-pool.ts';
import { judgeFailure, type TargetFailure } from './judge-failure.ts';
import { SharedTargets } from './shared-targets.ts';
import { testTarget } from './target.fixture.ts';
import { TargetWatch } from './target-watch.ts';

const soon = { timeout: 60_000, interval: 10 };
const BUSY = new ProviderRefusal('unavailable', 'x', { status: 500, body: '', headers: {} }, { isRetryable: true });

/** A server on this database, as far as targets go. Its clock is its own. */
async function serve(location: Awaited<ReturnType<typeof freshLocation>>, baseUrl = 'http://127.0.0.1:1/v1') {
  const store = await openStore(location, { rooms: [] });
  const clock = { now: Math.random() * 1e12 };
  const watch = new TargetWatch({ now: () => clock.now });
  const target = testTarget({ apiKey: ['key-one', 'key-two'], baseUrl }, 'm');
  const http: ConstructorParameters<typeof SharedTargets>[0]['http'] = {
    onKeyRest: undefined,
    restKey: (isMeant, restMs) => pool.restsElsewhere(isMeant, restMs),
  };
  const pool: KeyPool = new KeyPool(['key-one', 'key-two'], {
    now: () => clock.now,
    onRest: (key, restMs) => http.onKeyRest?.(key, restMs),
  });
  const shared = new SharedTargets({
    store,
    watch,
    http,
    providers: () => ({ test: target.provider }),
    log: { warn: () => {} },
  });
  onTestFinished(async () => {
    await shared.close();
    await store.close();
  });
  return {
    clock,
    watch,
    pool,
    standing: () => watch.rests.standing(target),
    begin: () => watch.rests.begin(target),
    fail: () => watch.rests.begin(target).failed('unavailable', judgeFailure(BUSY) as TargetFailure),
  };
}

/** Two servers that hear each other. */
async function serveTwo(otherUrl?: string) {
  const location = await freshLocation('postgres');
  const [a, b] = [await serve(location), await serve(location, otherUrl)];
  for (const [one, other] of [
    [a, b],
    [b, a],
  ] as const) {
    let count = 0;
    const isHeard = () => {
      one.watch.conversations.note(`hello ${count}`, 'x');
      return other.watch.conversations.of(`hello ${count++ - 1}`) === 'x';
    };
    await expect.poll(isHeard, soon).toBe(true);
  }
  return { a, b };
}

test('a target that failed one server rests at all, is tried by one of them, and is back at all when that was answered', async () => {
  const { a, b } = await serveTwo();

  a.fail();
  await expect.poll(b.standing, soon).toBe('resting');
  for (const { clock } of [a, b]) clock.now += 5_000;
  expect([a.standing(), b.standing()]).toEqual(['due', 'due']);
  const probe = b.begin();
  await expect.poll(a.standing, soon).toBe('resting');
  probe.answered();

  await expect.poll(() => [a.standing(), b.standing()], soon).toEqual(['well', 'well']);
});

test('a provider of the same name that is another one elsewhere does not rest', async () => {
  const { a, b } = await serveTwo('http://127.0.0.1:2/v1');

  a.fail();
  a.watch.conversations.note('after it', 'x');
  await expect.poll(() => b.watch.conversations.of('after it'), soon).toBe('x');

  expect([a.standing(), b.standing()]).toEqual(['resting', 'well']);
});

test('a key that reached its limit at one server is passed over at all, and a conversation is known at all', async () => {
  const { a, b } = await serveTwo();

  a.pool.rest('key-one', new DragomanError('rate-limited', 'slow down', { retryAfterMs: 60_000 }));
  a.watch.conversations.note('one', 'test/m');

  await expect.poll(() => b.watch.conversations.of('one'), soon).toBe('test/m');
  expect([b.pool.take(), b.pool.take()]).toEqual(['key-two', 'key-two']);
});
