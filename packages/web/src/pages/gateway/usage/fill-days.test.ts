import { expect, test } from 'vitest';
import { cacheShare, fillDays, sumOf } from './fill-days.ts';

const row = (key: string, calls: number) => ({
  key,
  calls,
  errors: 1,
  inputTokens: 10,
  outputTokens: 5,
  cacheReadTokens: 2,
  costDollars: 0.5 as number | null,
  unpricedCalls: 0,
  redactions: 0,
  repairs: 0,
});
const NOW = Date.UTC(2026, 2, 1, 7);

test('days without a call are shown as such, over the end of a month', () => {
  const days = fillDays([row('2026-02-28', 3), row('2026-03-01', 2)], 4, NOW);
  expect(days.map(({ key, calls }) => [key, calls])).toEqual([
    ['2026-02-26', 0],
    ['2026-02-27', 0],
    ['2026-02-28', 3],
    ['2026-03-01', 2],
  ]);
});

test('what is left of the day on which the window begins is kept, so that the days add up to the total', () => {
  const days = fillDays([row('2026-02-27', 1), row('2026-03-01', 2)], 2, NOW);
  expect(days.map(({ key }) => key)).toEqual(['2026-02-27', '2026-02-28', '2026-03-01']);
});

test('rows are summed up', () => {
  expect(sumOf([row('a', 1), row('b', 2)])).toMatchObject({ calls: 3, errors: 2, inputTokens: 20, costDollars: 1 });
  expect(sumOf([])).toMatchObject({ calls: 0, costDollars: 0 });
});

test('a sum over costs that nobody knows says so, and is nothing where no cost is known', () => {
  const unknown = { ...row('a', 2), costDollars: null, unpricedCalls: 2 };
  expect(sumOf([unknown, row('b', 1)])).toMatchObject({ costDollars: 0.5, unpricedCalls: 2 });
  expect(sumOf([unknown, { ...row('b', 1), costDollars: 0 }])).toMatchObject({ costDollars: null, unpricedCalls: 2 });
  expect(sumOf([{ ...row('b', 1), costDollars: 0 }])).toMatchObject({ costDollars: 0, unpricedCalls: 0 });
});

test('the share of the cache is of what went in, and nothing where nothing did', () => {
  expect(cacheShare(row('a', 1))).toBe(0.2);
  expect(cacheShare(sumOf([]))).toBeUndefined();
});
