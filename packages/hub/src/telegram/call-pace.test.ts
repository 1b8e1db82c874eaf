import fc from 'fast-check';
import { expect, test } from 'vitest';
import { GroupPace } from './call-pace.ts';

const GROUP = -1_001_000_000_002;

test('topics of a group share its pace, each keeps its turn, and other chats wait for nobody [UAP-35]', () => {
  const pace = new GroupPace();
  const take = (topic: number, now: number) => pace.take({ chat_id: GROUP, message_thread_id: topic }, now);
  expect([take(1, 100_000), take(2, 100_000)]).toEqual([0, 0]);
  expect([take(3, 100_000), take(4, 100_000)]).toEqual([3200, 6400]);
  expect(pace.take({ chat_id: GROUP - 1 }, 100_000)).toBe(0);
  expect(Array.from({ length: 50 }, () => pace.take({ chat_id: 5 }, 100_000))).toEqual(Array(50).fill(0));
  // Who comes later stands behind those who wait, and who comes too early waits for the rest of the time.
  expect(take(1, 103_200)).toBe(6400);
  expect(take(4, 103_200)).toBe(3200);
  expect(take(3, 103_200)).toBe(0);
  expect(take(4, 106_400)).toBe(0);
});

test('however many topics there are, a group gets about 20 in a minute at most [UAP-35]', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 40 }), fc.integer({ min: 50, max: 4000 }), (topics, every) => {
      const pace = new GroupPace();
      const at: number[] = [];
      const waits = new Map<number, number>();
      for (let now = 1_000_000; now < 1_200_000; now += every)
        for (let topic = 1; topic <= topics; topic += 1) {
          if (now < (waits.get(topic) ?? 0)) continue;
          const ms = pace.take({ chat_id: GROUP, message_thread_id: topic }, now);
          waits.set(topic, now + ms);
          if (ms === 0) at.push(now);
        }
      // A step of the test may let two turns fall together.
      for (const from of at)
        expect(at.filter((one) => one >= from && one < from + 60_000).length).toBeLessThanOrEqual(22);
    }),
  );
});
