import { expect, test } from 'vitest';
import { fittingRange } from './usage-range.ts';

test('the range is the shortest that holds all there is, at most a month', () => {
  const now = Date.UTC(2026, 4, 4);
  const hours = (count: number) => fittingRange(now - count * 3_600_000, now);
  expect(fittingRange(undefined, now)).toBe('1');
  expect([hours(0), hours(1), hours(23), hours(24), hours(7 * 24 - 1), hours(7 * 24), hours(9000)]).toEqual([
    '1',
    '1',
    '1',
    '7',
    '7',
    '30',
    '30',
  ]);
});
