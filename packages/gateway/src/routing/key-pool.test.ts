import { DragomanError } from '@dragoman/protocol';
import { expect, test } from 'vitest';
import { KeyPool } from './key-pool.ts';

const limited = (retryAfterMs?: number) =>
  new DragomanError('rate-limited', 'x', retryAfterMs === undefined ? {} : { retryAfterMs });

test('keys take turns', () => {
  const pool = new KeyPool(['a', 'b', 'c']);

  expect(Array.from({ length: 5 }, () => pool.take())).toEqual(['a', 'b', 'c', 'a', 'b']);
});

test('a key that has reached its limit rests as long as the provider asked for, else half a minute', () => {
  let now = 0;
  const pool = new KeyPool(['a', 'b'], { now: () => now });
  pool.rest('a', limited(7_000));

  expect([pool.take(), pool.take()]).toEqual(['b', 'b']);
  now = 7_000;
  expect(new Set([pool.take(), pool.take()])).toEqual(new Set(['a', 'b']));
  pool.rest('a', limited());
  now = 36_999;
  expect([pool.take(), pool.take()]).toEqual(['b', 'b']);
});

test('when every key rests, the time until the first is back is told', () => {
  const pool = new KeyPool(['a', 'b'], { now: () => 0 });
  pool.rest('a', limited(9_000));
  pool.rest('b', new DragomanError('forbidden', 'x'));

  expect(() => pool.take()).toThrow(expect.objectContaining({ code: 'rate-limited', retryAfterMs: 9_000 }));
});

test('an only key never rests, and a provider without keys has none', () => {
  const pool = new KeyPool(['a']);
  pool.rest('a', limited(9_000));

  expect(pool.take()).toBe('a');
  expect(new KeyPool([]).take()).toBe(undefined);
});
