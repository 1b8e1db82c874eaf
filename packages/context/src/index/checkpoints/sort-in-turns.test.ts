import { expect, test } from 'vitest';
import { sortInTurns } from './sort-in-turns.ts';

test('a long list is sorted as a short one is, and others get their turn meanwhile', async () => {
  const names = Array.from({ length: 70_001 }, (_, number) => ((number * 7_919) % 65_537).toString(16));
  let turns = 0;
  let isOver = false;
  const count = () => {
    turns++;
    if (!isOver) setImmediate(count);
  };
  setImmediate(count);

  const sorted = await sortInTurns(names);
  isOver = true;

  expect(sorted).toEqual(names.toSorted());
  expect(turns).toBeGreaterThanOrEqual(3);
  expect(await sortInTurns([])).toEqual([]);
  expect(await sortInTurns(['b', 'a'])).toEqual(['a', 'b']);
});
