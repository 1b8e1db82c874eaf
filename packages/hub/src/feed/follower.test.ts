import type { LoggedHubEvent } from '@dragoman/protocol';
import { rounds } from '@dragoman/testkit';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { stop } from '../log/session-log.fixture.ts';
import { Follower } from './follower.ts';

/** Events with the numbers after `from`. */
function stored(from: number, count: number): { from: number; events: LoggedHubEvent[] } {
  const events = Array.from({ length: count }, (_, index) => ({
    seq: from + index + 1,
    at: 0,
    event: stop(`${from + index + 1}`, 'x'),
  }));
  return { from, events };
}

/** A follower of a list; `tick` lets everything happen that can. */
function followList(list: readonly LoggedHubEvent[], after: number, receive: () => Promise<void> | void = () => {}) {
  const heard: number[] = [];
  let reads = 0;
  const reader = {
    receive(events: readonly LoggedHubEvent[]) {
      heard.push(...events.map(({ seq }) => seq));
      return receive();
    },
    end: () => {},
  };
  const follower = new Follower(after, reader, async (from, limit) => {
    reads += 1;
    const page = list.filter(({ seq }) => seq > from).slice(0, limit);
    await Promise.resolve();
    return { events: page, isLast: page.length < limit };
  });
  return { follower, heard, reads: () => reads };
}

const tick = () => new Promise(setImmediate);

test('a reader that keeps up is told from memory, without a look into the log', async () => {
  const list: LoggedHubEvent[] = [];
  const { follower, heard, reads } = followList(list, 0);
  await tick();
  const before = reads();

  for (const batch of [stored(0, 2), stored(2, 1), stored(3, 4)]) {
    list.push(...batch.events);
    follower.push(batch);
  }

  expect(heard).toEqual([1, 2, 3, 4, 5, 6, 7]);
  expect(reads()).toBe(before);
});

test('what is told before its turn is not taken, but read from the log', async () => {
  const list: LoggedHubEvent[] = [];
  const { follower, heard } = followList(list, 0);
  await tick();
  const [first, second] = [stored(0, 2), stored(2, 2)];
  list.push(...first.events, ...second.events);

  follower.push(second);
  expect(heard).toEqual([]);
  follower.push(first);
  await tick();

  expect(heard).toEqual([1, 2, 3, 4]);
});

test('UAP-02 in whatever order it is told, and however slow it is, a reader hears everything once and in order', async () => {
  const step = fc.record({
    count: fc.integer({ min: 1, max: 4 }),
    delay: fc.nat(3),
    isSlow: fc.boolean(),
    isPause: fc.boolean(),
  });
  const property = fc.asyncProperty(fc.array(step, { maxLength: 20 }), fc.nat(10), async (steps, after) => {
    const list: LoggedHubEvent[] = [];
    let isSlow = false;
    const { follower, heard } = followList(list, after, () => (isSlow ? tick().then(() => {}) : undefined));
    const waiting: { due: number; batch: ReturnType<typeof stored> }[] = [];
    for (const [index, { count, delay, isSlow: slow, isPause }] of steps.entries()) {
      isSlow = slow;
      const batch = stored(list.length, count);
      list.push(...batch.events);
      waiting.push({ due: index + delay, batch });
      // Told later than others that were stored after it.
      for (const told of waiting.filter(({ due }) => due === index).toReversed()) follower.push(told.batch);
      await (isPause ? tick() : Promise.resolve());
    }
    for (const told of waiting.filter(({ due }) => due >= steps.length)) follower.push(told.batch);
    const expected = list.map(({ seq }) => seq).filter((seq) => seq > after);
    for (let turn = 0; turn < 100 && heard.length < expected.length; turn++) await tick();

    expect(heard).toEqual(expected);
  });
  await fc.assert(property, { numRuns: rounds(10_000), seed: 9 });
});
