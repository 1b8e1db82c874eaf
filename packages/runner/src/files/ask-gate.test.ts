import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { AskGate } from './ask-gate.ts';

const never = new AbortController().signal;

test('a few are let in at a time, the others follow, and one whose time is over is not begun', async () => {
  const gate = new AskGate();
  const doors = Array.from({ length: 6 }, () => Promise.withResolvers<void>());
  const begun: number[] = [];
  const leaving = new AbortController();
  const runs = doors.map(({ promise }, index) =>
    gate.run(index === 5 ? leaving.signal : never, () => {
      begun.push(index);
      return promise;
    }),
  );
  await setImmediate();
  expect(begun).toEqual([0, 1, 2, 3]);

  doors[2]!.resolve();
  await runs[2];
  await setImmediate();
  expect(begun).toEqual([0, 1, 2, 3, 4]);
  leaving.abort();
  for (const { resolve } of doors) resolve();
  await expect(runs[5]).rejects.toMatchObject({ name: 'AbortError' });
  expect(begun).toEqual([0, 1, 2, 3, 4]);
  expect(await gate.run(never, async () => 'free again')).toBe('free again');
});

test('more than a hundred do not wait', async () => {
  const gate = new AskGate();
  const door = Promise.withResolvers<void>();
  const runs = Array.from({ length: 104 }, () => gate.run(never, () => door.promise));
  await expect(gate.run(never, async () => {})).rejects.toMatchObject({ code: 'unavailable', isRetryable: true });
  door.resolve();
  await Promise.all(runs);
});

test('who does not wait any more makes room for others', async () => {
  const gate = new AskGate();
  const door = Promise.withResolvers<void>();
  const inside = Array.from({ length: 4 }, () => gate.run(never, () => door.promise));
  const leaving = new AbortController();
  const left = Array.from({ length: 100 }, () => gate.run(leaving.signal, () => door.promise));
  leaving.abort();
  await Promise.all(left.map((each) => expect(each).rejects.toMatchObject({ name: 'AbortError' })));
  const last = gate.run(never, async () => 'in');
  door.resolve();
  expect(await last).toBe('in');
  await Promise.all(inside);
});

test('work under one name is done in its order, whatever becomes of the one before', async () => {
  const gate = new AskGate();
  const done: string[] = [];
  const go = Promise.withResolvers<void>();
  const first = gate.alone('a', never, async () => {
    await go.promise;
    done.push('first');
    throw new Error('no');
  });
  const second = gate.alone('a', never, async () => done.push('second'));
  await gate.alone('b', never, async () => done.push('other'));
  go.resolve();
  await Promise.all([expect(first).rejects.toThrow('no'), second]);
  expect(done).toEqual(['other', 'first', 'second']);
});
