import { expect, test } from 'vitest';
import { hasGoneUp } from './has-gone-up.ts';

const END = { top: 3354, most: 3354 };

test('who stays at the end has not gone up, whatever the content does', () => {
  const isUp = (top: number, most: number) => hasGoneUp(END, { top, most }, { isAsked: false });
  // Longer; shorter; and a little shorter before it was much longer, as a browser told it at 3,000 pieces a second.
  expect([isUp(3354, 4205), isUp(3310, 3310), isUp(3332, 4205), isUp(3298, 5220)]).toEqual([
    false,
    false,
    false,
    false,
  ]);
});

test('who is at the beginning of content that was gone for a moment and is longer now has not gone up', () => {
  const isUp = (top: number, most: number, isAsked: boolean) =>
    hasGoneUp({ top: 1389, most: 1389 }, { top, most }, { isAsked });
  expect([isUp(0, 1425, false), isUp(0, 1425, true), isUp(0, 1389, false)]).toEqual([false, true, true]);
});

test('who goes further up than the content shrank has gone up, with or without a key', () => {
  const isUp = (top: number, most: number) => hasGoneUp(END, { top, most }, { isAsked: false });
  expect([isUp(3332, 3354), isUp(3054, 4205), isUp(3200, 3310)]).toEqual([true, true, true]);
});

test('after a key or a wheel the first pixels count, also while the content grows', () => {
  expect(hasGoneUp(END, { top: 3344, most: 4205 }, { isAsked: true })).toBe(true);
  expect(hasGoneUp(END, { top: 3353, most: 4205 }, { isAsked: true })).toBe(false);
});
