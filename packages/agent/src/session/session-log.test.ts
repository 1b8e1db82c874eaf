import type { LoggedEvent } from '@dragoman/protocol';
import { expect, test } from 'vitest';
import { SessionLog } from './session-log.ts';

const of = { messageID: 'msg_1', partID: 'prt_1' };
const delta = (text: string, partID = 'prt_1') => ({ type: 'text-delta' as const, ...of, partID, delta: text });

function logTo(
  batches: LoggedEvent[][],
  given: { append?: () => Promise<void>; onFailure?: () => void } = {},
): SessionLog {
  return new SessionLog({
    sink: {
      append: async (events) => {
        await given.append?.();
        batches.push([...events]);
      },
    },
    seq: 0,
    ...(given.onFailure === undefined ? {} : { onFailure: given.onFailure }),
  });
}

test('deltas of one block that wait are stored as one, under the number of the last; others stay apart', async () => {
  const batches: LoggedEvent[][] = [];
  const log = logTo(batches);
  for (const event of [delta('a'), delta('b'), delta('x', 'prt_2'), delta('c'), { type: 'text-end' as const, ...of }])
    log.append(event, 1);
  await log.stored();

  expect(batches).toEqual([
    [
      { seq: 2, at: 1, event: delta('ab') },
      { seq: 3, at: 1, event: delta('x', 'prt_2') },
      { seq: 4, at: 1, event: delta('c') },
      { seq: 5, at: 1, event: { type: 'text-end', ...of } },
    ],
  ]);
});

test('text is stored soon without anybody asking: after a moment, or when much has come', async () => {
  const batches: LoggedEvent[][] = [];
  const stored = (log: SessionLog) =>
    new Promise<void>((resolve) => {
      const look = setInterval(() => {
        if (batches.length === 0) return;
        clearInterval(look);
        resolve();
      }, 1);
      void log;
    });
  const log = logTo(batches);
  log.append(delta('little'), 1);
  await stored(log);
  expect(batches.splice(0)).toMatchObject([[{ event: { delta: 'little' } }]]);

  log.append(delta('x'.repeat(5_000)), 1);
  await stored(log);
  expect(batches).toHaveLength(1);
});

test('one batch is on its way at a time, and nothing is stored behind one that failed', async () => {
  const batches: LoggedEvent[][] = [];
  let [tries, failures] = [0, 0];
  const log = logTo(batches, {
    append: async () => {
      if (++tries === 2) throw new Error('The disk is full.');
    },
    onFailure: () => failures++,
  });
  log.append({ type: 'unreverted' }, 1);
  await log.stored();
  log.append({ type: 'unreverted' }, 1);
  await expect(log.stored()).rejects.toThrow('The disk is full.');
  log.append({ type: 'unreverted' }, 1);
  await expect(log.stored()).rejects.toThrow('The disk is full.');

  expect(batches.flat().map(({ seq }) => seq)).toEqual([1]);
  expect([tries, failures]).toEqual([2, 1]);
});
