import { expect, test } from 'vitest';
import { BoundedLabels } from './bounded-labels.ts';

test('so many names are told as they are, and later ones are others', () => {
  const labels = new BoundedLabels(2);

  expect(['a', 'b', 'c', 'a', 'd', 'b'].map((name) => labels.labelOf(name))).toEqual([
    'a',
    'b',
    'other',
    'a',
    'other',
    'b',
  ]);
});

test('a target has its own name once it has answered', () => {
  const labels = new BoundedLabels(1);

  expect(labels.labelOfTarget('p/m', false)).toBe('p/other');
  expect(labels.labelOfTarget('p/m', true)).toBe('p/m');
  expect(labels.labelOfTarget('p/m', false)).toBe('p/m');
  expect(labels.labelOfTarget('p/n/o', true)).toBe('p/other');
  expect(labels.labelOfTarget('', false)).toBe('none');
});
