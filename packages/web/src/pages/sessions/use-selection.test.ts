import { expect, test } from 'vitest';
import { rangeOf } from './use-selection.ts';

test('a range goes from the row before to this one, in either direction', () => {
  const listed = ['a', 'b', 'c', 'd'];

  expect(rangeOf(listed, 'b', 'd')).toEqual(['b', 'c', 'd']);
  expect(rangeOf(listed, 'd', 'c')).toEqual(['c', 'd']);
  expect(rangeOf(listed, 'gone', 'c')).toEqual(['c']);
});
