import { Worker } from 'node:worker_threads';
import { expect, onTestFinished, test } from 'vitest';
import { WorkerCalls } from './worker-calls.ts';

type Echo = { echo: { input: number; output: number }; die: { input: number; output: number } };

const ECHO = `const { parentPort } = require('node:worker_threads');
parentPort.on('message', ({ call, name, input }) => (name === 'die' ? process.exit() : parentPort.postMessage({ call, output: input })));`;

function echo(idleMs: number) {
  const counts = { started: 0, ended: 0 };
  const start = () => {
    counts.started++;
    return new Worker(ECHO, { eval: true });
  };
  const calls = new WorkerCalls<Echo>(start, { idleMs, ended: () => void counts.ended++ });
  onTestFinished(() => calls.close());
  return { calls, counts };
}

test('a call that comes when the thread is about to end for want of work is answered by another', async () => {
  const { calls, counts } = echo(0);
  for (let number = 0; number < 20; number++) {
    expect(await calls.call('echo', number)).toBe(number);
    // Timers and the end of the thread come before, between and after.
    for (let turn = 0; turn < number % 5; turn++) await new Promise((go) => setTimeout(go, turn));
  }
  expect(counts.started).toBeGreaterThan(1);
  expect(counts.ended).toBeGreaterThanOrEqual(counts.started - 1);
});

test('a thread that dies fails what it was asked, and the next call starts another', async () => {
  const { calls, counts } = echo(60_000);
  await expect(calls.call('die', 1)).rejects.toThrow('the worker ended before it answered');
  expect(await calls.call('echo', 2)).toBe(2);
  expect(counts).toEqual({ started: 2, ended: 1 });
});

test('a thread whose memory is wanted by the next call does not end for want of work', async () => {
  const { calls, counts } = echo(0);
  await calls.hold(async () => {
    for (let number = 0; number < 5; number++) {
      await calls.call('echo', number);
      await new Promise((go) => setTimeout(go, 5)); // Time enough for it to end.
    }
  });
  expect(counts).toEqual({ started: 1, ended: 0 });
  while (counts.ended === 0) await new Promise((go) => setImmediate(go));
});
