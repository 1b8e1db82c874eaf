import { expect, test } from 'vitest';
import { ConcurrencyLimit } from './concurrency-limit.ts';

test('as many calls as the limit are let in, client by client', () => {
  const limit = new ConcurrencyLimit(2);

  expect(limit.enter('a')).toBeTypeOf('function');
  expect(limit.enter('a')).toBeTypeOf('function');
  expect(limit.enter('a')).toBeUndefined();
  expect(limit.enter('b')).toBeTypeOf('function');
});

test('a call that leaves makes room for one more, however often it says that it left', () => {
  const limit = new ConcurrencyLimit(1);
  const leave = limit.enter('a');

  leave?.();
  leave?.();

  expect(limit.enter('a')).toBeTypeOf('function');
  expect(limit.enter('a')).toBeUndefined();
  leave?.();
  expect(limit.enter('a')).toBeUndefined();
});

test('a client without calls is forgotten', () => {
  const limit = new ConcurrencyLimit(1);
  const leave = limit.enter('a');
  expect(limit.clientCount).toBe(1);

  leave?.();

  expect(limit.clientCount).toBe(0);
});
