import { expect, test } from 'vitest';
import { coveredHeight } from './covered-height.ts';

test('a keyboard over the page covers as much as is not seen of it', () => {
  expect(coveredHeight(844, { height: 508, offsetTop: 0, scale: 1 })).toBe(336);
});

test('where the browser made the page smaller for its keyboard, nothing is covered', () => {
  expect(coveredHeight(508, { height: 508, offsetTop: 0, scale: 1 })).toBe(0);
});

test('a bar of the browser and a page that somebody enlarged are no keyboard', () => {
  expect(coveredHeight(844, { height: 784, offsetTop: 0, scale: 1 })).toBe(0);
  expect(coveredHeight(844, { height: 422, offsetTop: 100, scale: 2 })).toBe(0);
});
