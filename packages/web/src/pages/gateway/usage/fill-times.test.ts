import { expect, test } from 'vitest';
import { fillTimes } from './fill-times.ts';

test('hours and days without a call are shown as such, in their order', () => {
  const row = {
    key: '2026-02-28',
    calls: 3,
    errors: 1,
    inputTokens: 10,
    outputTokens: 5,
    cacheReadTokens: 2,
    costDollars: null,
    unpricedCalls: 3,
    redactions: 0,
    repairs: 0,
  };
  const times = ['2026-02-27', '2026-02-28', '2026-03-01'].map((key) => ({ key }));
  expect(fillTimes([row], times).map(({ key, calls, costDollars }) => [key, calls, costDollars])).toEqual([
    ['2026-02-27', 0, 0],
    ['2026-02-28', 3, null],
    ['2026-03-01', 0, 0],
  ]);
});
