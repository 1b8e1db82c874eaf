import type { RequestInfo } from '@dragoman/protocol/console';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { filterRequests, hasFailed, mergeRequests, MOST_KEPT } from './request-log.ts';

const request = (id: string, at: number, more: Partial<RequestInfo> = {}): RequestInfo => ({
  id,
  at,
  userName: 'ada',
  tokenName: 'laptop',
  dialect: 'openai-chat',
  route: 'default',
  target: 'claude/sonnet',
  isStreamed: true,
  totalMs: 5,
  finishReason: 'stop',
  attempts: 1,
  redactions: 0,
  repairs: 0,
  ...more,
});

test('however the list and the stream overlap, each call is shown once and the newest comes first', () => {
  const calls = fc.array(fc.record({ id: fc.integer({ min: 0, max: 30 }) }), { maxLength: 40 });
  fc.assert(
    fc.property(calls, calls, (one, other) => {
      const made = (ids: { id: number }[]) => ids.map(({ id }) => request(`call_${id}`, id % 7));
      const merged = mergeRequests(mergeRequests([], made(one)), made(other));
      const ids = merged.map(({ id }) => id);
      expect(new Set(ids)).toEqual(new Set([...one, ...other].map(({ id }) => `call_${id}`)));
      expect(ids).toHaveLength(new Set(ids).size);
      expect(merged.map(({ at }) => at)).toEqual(merged.map(({ at }) => at).toSorted((a, b) => b - a));
    }),
  );
});

test('of many requests the newest are kept', () => {
  const many = Array.from({ length: MOST_KEPT + 50 }, (_, at) => request(`call_${at}`, at));
  const kept = mergeRequests([], many);
  expect(kept).toHaveLength(MOST_KEPT);
  expect(kept[0]!.at).toBe(MOST_KEPT + 49);
  expect(mergeRequests(kept, [])).toBe(kept);
});

test('requests are found by all words of a line, wherever they stand, and by having failed', () => {
  const all = [
    request('a', 4, { tokenName: 'Desk', target: 'claude/opus' }),
    request('b', 3, { errorCode: 'rate-limited', finishReason: 'error', target: '' }),
    request('c', 2, { errorCode: 'cancelled', finishReason: 'cancelled' }),
    request('d', 1, { dialect: 'augment' }),
  ];
  const found = (text: string, onlyErrors = false) => filterRequests(all, { text, onlyErrors }).map(({ id }) => id);
  expect(found('')).toEqual(['a', 'b', 'c', 'd']);
  expect(found('opus desk')).toEqual(['a']);
  expect(found('AUGMENT')).toEqual(['d']);
  expect(found('', true)).toEqual(['b']);
  expect(found('rate-limited')).toEqual(['b']);
  expect(found('nobody')).toEqual([]);
  expect(all.map(hasFailed)).toEqual([false, true, false, false]);
});
