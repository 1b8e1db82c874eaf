import { expect, test } from 'vitest';
import { shareOfBest } from './share-of-best.ts';

test('the best place has the whole bar, and none has no bar at all', () => {
  expect(shareOfBest([4, 2, 0])).toEqual([1, 0.53, 0.06]);
  expect(shareOfBest([1, -1]).map((share) => share.toFixed(2))).toEqual(['1.00', '0.06']);
  expect(shareOfBest([0, 0])).toEqual([1, 1]);
  expect(shareOfBest([])).toEqual([]);
});
