import { setTimeout as wait } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { withTimeLimit } from './time-limit.ts';

const never = new AbortController().signal;
const expired = () => new Error('too late');

test('work that is done in time gives its result', async () => {
  expect(await withTimeLimit(async () => 'done', { limitMs: 1_000, signal: never, expired })).toBe('done');
});

test('work that takes too long is called off with the error of the limit', async () => {
  const work = (signal: AbortSignal) => wait(10_000, undefined, { signal });
  await expect(withTimeLimit(work, { limitMs: 5, signal: never, expired })).rejects.toThrow('too late');
});

test('what work gives back after it was cancelled is kept', async () => {
  const work = (signal: AbortSignal) =>
    new Promise<string>((resolve) => signal.addEventListener('abort', () => resolve('half of it')));
  expect(await withTimeLimit(work, { limitMs: 5, signal: never, expired })).toBe('half of it');
});

test('work that does not obey is left alone after a moment', async () => {
  const work = () => new Promise<never>(() => {});
  await expect(withTimeLimit(work, { limitMs: 1, signal: never, expired, graceMs: 1 })).rejects.toThrow('too late');
});

test('what is called off from outside ends with that reason; what was cancelled before does not begin', async () => {
  const stop = new AbortController();
  const working = withTimeLimit((signal) => wait(10_000, undefined, { signal }), {
    limitMs: 60_000,
    signal: stop.signal,
    expired,
  });
  stop.abort(new Error('called off'));
  await expect(working).rejects.toThrow('called off');

  let hasBegun = false;
  const late = withTimeLimit(
    async () => {
      hasBegun = true;
    },
    { limitMs: 60_000, signal: stop.signal, expired },
  );
  await expect(late).rejects.toThrow('called off');
  expect(hasBegun).toBe(false);
});

test('an error of the work’s own is more than that it was cancelled', async () => {
  const work = (signal: AbortSignal) =>
    new Promise<never>((_resolve, reject) =>
      signal.addEventListener('abort', () => reject(new Error('the disk is full'))),
    );
  await expect(withTimeLimit(work, { limitMs: 1, signal: never, expired })).rejects.toThrow('the disk is full');
});

test('time that a person took to answer does not count', async () => {
  let asked = 0;
  const work = (signal: AbortSignal) => wait(30, 'done', { signal });
  const result = await withTimeLimit(work, {
    limitMs: 10,
    signal: never,
    expired,
    notCountedMs: () => (asked++ === 0 ? 0 : 60_000),
  });
  expect(result).toBe('done');
});
