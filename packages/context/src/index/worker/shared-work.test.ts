import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { expect, test } from 'vitest';
import { SharedWork } from './shared-work.ts';

const FOR_EVER = 60_000;

test('pieces are taken in order, each once, and none of a round that is over or not begun', () => {
  const work = new SharedWork();
  const first = work.begin(0) as number;

  expect([work.take(first, 3), work.take(first, 3), work.take(first, 3), work.take(first, 3)]).toEqual([
    0,
    1,
    2,
    undefined,
  ]);
  for (let piece = 0; piece < 3; piece++) work.finish();
  expect(work.hasEnded(3, 0)).toBe(true);

  const second = work.begin(0) as number;
  expect(work.take(first, 3)).toBeUndefined();
  expect(work.take(second + 1, 3)).toBeUndefined();
  expect(work.take(second, 3)).toBe(0);
});

test('a round begins when what was taken of the last one is done, whether or not all of it was taken', () => {
  const work = new SharedWork();
  const first = work.begin(0) as number;
  work.take(first, 5);

  expect(work.begin(0)).toBe(false);
  expect(work.begin(0)).toBe(false);
  work.finish();
  expect(work.take(work.begin(0) as number, 1)).toBe(0);
});

test('what nobody took of a round is dropped with it', () => {
  const work = new SharedWork();
  const first = work.begin(0) as number;
  work.take(first, 5);
  work.finish();

  const second = work.begin(0) as number;
  expect(work.take(first, 5)).toBeUndefined();
  expect(work.take(second, 1)).toBe(0);
});

test('numbers of rounds come again after half a million, and still none is taken for another', () => {
  const work = new SharedWork();
  let last = 0;
  let mistakes = 0;
  for (let round = 0; round < 1_200_000; round++) {
    const next = work.begin(0) as number;
    if (next === last || work.take(last, 1) !== undefined || work.take(next, 1) !== 0) mistakes++;
    last = next;
    work.finish();
  }
  expect(mistakes).toBe(0);
});

test('threads take every piece once between them, and the one that leads sees what the others wrote', async () => {
  const work = new SharedWork();
  const pieces = 2_000;
  const results = new Int32Array(new SharedArrayBuffer(pieces * 4));
  const helper = new Worker(
    `
      import { parentPort, workerData } from 'node:worker_threads';
      import { SharedWork } from ${JSON.stringify(new URL('./shared-work.ts', import.meta.url).href)};
      const work = new SharedWork(workerData.state);
      parentPort.on('message', (round) => {
        for (let piece; (piece = work.take(round, ${pieces})) !== undefined;) {
          workerData.results[piece] += 1;
          work.finish();
        }
      });
      parentPort.postMessage('ready');
    `,
    { eval: true, execArgv: ['--input-type=module'], workerData: { state: work.state, results } },
  );
  await once(helper, 'message');

  for (let times = 1; times <= 20; times++) {
    const round = work.begin(FOR_EVER) as number;
    helper.postMessage(round);
    for (let piece; (piece = work.take(round, pieces)) !== undefined; work.finish()) results[piece]! += 1;
    expect(work.hasEnded(pieces, FOR_EVER)).toBe(true);
    expect([...new Set(results)]).toEqual([times]);
  }
  await helper.terminate();
});
