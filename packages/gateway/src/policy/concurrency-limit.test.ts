import { expect, test } from 'vitest';
import { ConcurrencyLimit } from './concurrency-limit.ts';

test('as many calls as the limit are let in, client by client', () => {
  const limit = new ConcurrencyLimit(() => 2);

  expect(limit.enter('a')).toBeTypeOf('function');
  expect(limit.enter('a')).toBeTypeOf('function');
  expect(limit.enter('a')).toBeUndefined();
  expect(limit.enter('b')).toBeTypeOf('function');
});

test('a call that leaves makes room for one more, however often it says that it left', () => {
  const limit = new ConcurrencyLimit(() => 1);
  const leave = limit.enter('a');

  leave?.();
  leave?.();

  expect(limit.enter('a')).toBeTypeOf('function');
  expect(limit.enter('a')).toBeUndefined();
  leave?.();
  expect(limit.enter('a')).toBeUndefined();
});

test('a client without calls is forgotten', () => {
  const limit = new ConcurrencyLimit(() => 1);
  const leave = limit.enter('a');
  expect(limit.clients).toEqual(['a']);

  leave?.();

  expect(limit.clients).toEqual([]);
});

test('calls at other servers count until they are over, or their server is not heard of any more', () => {
  let now = 0;
  const limit = new ConcurrencyLimit(
    () => 3,
    () => now,
  );
  limit.note('second', 'a', 1);
  limit.note('third', 'a', 1);
  const leave = limit.enter('a');

  expect(limit.enter('a')).toBeUndefined();
  limit.note('second', 'a', 0);
  expect(limit.enter('a')).toBeTypeOf('function');
  expect(limit.enter('a')).toBeUndefined();
  leave?.();
  expect(limit.enter('a')).toBeTypeOf('function');

  now = 15_001;
  expect(limit.enter('a')).toBeTypeOf('function');
  expect(limit.enter('a')).toBeUndefined();
  expect(limit.enter('b')).toBeTypeOf('function');
});

test('a limit that is changed counts at once, for calls that are under way too', () => {
  let max = 2;
  const limit = new ConcurrencyLimit(() => max);
  limit.enter('a');
  limit.enter('a');

  max = 3;
  expect(limit.enter('a')).toBeDefined();
  max = 1;
  expect(limit.enter('a')).toBeUndefined();
  expect(limit.enter('b')).toBeDefined();
});
