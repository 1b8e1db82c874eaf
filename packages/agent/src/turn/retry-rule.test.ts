import { DragomanError } from '@dragoman/protocol';
import { expect, test } from 'vitest';
import { retryDelay } from './retry-rule.ts';

const busy = (options = {}) => new DragomanError('rate-limited', 'slow down', { isRetryable: true, ...options });

test('the wait doubles up to its limit, and ends after the last try', () => {
  const waits = [1, 2, 3, 4, 5, 6].map((attempt) => retryDelay(busy(), attempt, undefined, () => 0));
  expect(waits).toEqual([2_000, 4_000, 8_000, 16_000, 30_000, undefined]);
});

test('what the provider asks for is done, unless it asks for too much', () => {
  expect(retryDelay(busy({ retryAfterMs: 50 }), 1)).toBe(50);
  expect(retryDelay(busy({ retryAfterMs: 45_000 }), 1)).toBe(45_000);
  expect(retryDelay(busy({ retryAfterMs: 3_600_000 }), 1)).toBeUndefined();
});

test('only what passes by itself is tried again, whatever digits its message has', () => {
  const tried = (error: DragomanError) => retryDelay(error, 1) !== undefined;
  expect(tried(new DragomanError('unavailable', 'down', { isRetryable: true }))).toBe(true);
  expect(tried(new DragomanError('timed-out', 'slow', { isRetryable: true }))).toBe(true);
  expect(tried(new DragomanError('bad-request', 'line 429 of 500 is wrong'))).toBe(false);
  expect(tried(new DragomanError('forbidden', 'wrong key', { isRetryable: true }))).toBe(false);
  expect(tried(new DragomanError('context-overflow', 'too long'))).toBe(false);
});
