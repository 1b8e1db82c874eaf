import { expect, test } from 'vitest';
import { reconnectDelay } from './reconnect-delay.ts';

test('the wait doubles from a second up to a minute, with some of it left to chance', () => {
  const most = [1, 2, 3, 4, 5, 6, 7, 8, 1000].map((failures) => reconnectDelay(failures, () => 1));
  const least = [1, 2, 1000].map((failures) => reconnectDelay(failures, () => 0));

  expect(most).toEqual([1000, 2000, 4000, 8000, 16_000, 32_000, 60_000, 60_000, 60_000]);
  expect(least).toEqual([800, 1600, 48_000]);
});
