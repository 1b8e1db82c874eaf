import { expect, test, vi } from 'vitest';
import { IdleQueue } from './idle-queue.ts';

test('what waits for idle time is done in its order, one piece at a time, and what is cleared is not done', async () => {
  const done: number[] = [];
  const queue = new IdleQueue<number>((item) => done.push(item));
  for (const item of [1, 2, 3]) queue.add(item);
  expect([done, queue.isEmpty]).toEqual([[], false]);
  await vi.waitFor(() => expect(done).toEqual([1, 2, 3]));
  expect(queue.isEmpty).toBe(true);

  queue.add(4);
  queue.clear();
  queue.add(5);
  await vi.waitFor(() => expect(done).toEqual([1, 2, 3, 5]));
});
