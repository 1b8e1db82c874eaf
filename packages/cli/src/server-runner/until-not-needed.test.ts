import { rmSync } from 'node:fs';
import { tempFolder } from '@dragoman/testkit';
import { expect, onTestFinished, test, vi } from 'vitest';
import { untilNotNeeded } from './until-not-needed.ts';

const MINUTE = 60_000;

/** A process with a clock to move, and what its runner says of itself. */
function testProcess(runner: { isConnected: boolean; liveSessions: number; isBusy: boolean }) {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] });
  onTestFinished(() => void vi.useRealTimers());
  const folder = tempFolder();
  const stop = new AbortController();
  const said = { hasEnded: false, isOutdated: false };
  const ended = untilNotNeeded(runner, { folder, signal: stop.signal, isOutdated: () => said.isOutdated }).then(
    () => void (said.hasEnded = true),
  );
  const pass = async (ms: number) => {
    await vi.advanceTimersByTimeAsync(ms);
    return said.hasEnded;
  };
  return { folder, stop, ended, pass, said };
}

test('a process without an agent ends a minute after the last one', async () => {
  const runner = { isConnected: true, liveSessions: 1, isBusy: false };
  const { pass } = testProcess(runner);

  expect(await pass(60 * MINUTE)).toBe(false);
  runner.liveSessions = 0;
  expect(await pass(MINUTE - 2_000)).toBe(false);
  expect(await pass(6_000)).toBe(true);
});

test('agents that rest end soon after their server, but not while the next one starts', async () => {
  const runner = { isConnected: false, liveSessions: 3, isBusy: false };
  const { pass } = testProcess(runner);

  expect(await pass(9_000)).toBe(false);
  runner.isConnected = true;
  expect(await pass(10 * MINUTE)).toBe(false);
  runner.isConnected = false;
  expect(await pass(15_000)).toBe(true);
});

test('an agent at work is waited for without a server, and those that wait for nobody are ended after a day', async () => {
  const runner = { isConnected: false, liveSessions: 1, isBusy: true };
  const { pass } = testProcess(runner);

  expect(await pass(23 * 60 * MINUTE)).toBe(false);
  expect(await pass(61 * MINUTE)).toBe(true);
});

test('an outdated process ends as soon as a server is there and no agent is at work', async () => {
  const runner = { isConnected: true, liveSessions: 2, isBusy: true };
  const { pass, said } = testProcess(runner);

  said.isOutdated = true;
  expect(await pass(60 * MINUTE)).toBe(false);
  runner.isBusy = false;
  expect(await pass(4_000)).toBe(true);
});

test('a process whose folder was removed ends, whatever its agents do', async () => {
  const { folder, pass } = testProcess({ isConnected: true, liveSessions: 1, isBusy: true });

  expect(await pass(MINUTE)).toBe(false);
  rmSync(folder, { recursive: true });
  expect(await pass(4_000)).toBe(true);
});

test('a process that was told to end before it had begun does at once', async () => {
  const runner = { isConnected: true, liveSessions: 1, isBusy: true };

  await expect(untilNotNeeded(runner, { folder: tempFolder(), signal: AbortSignal.abort() })).resolves.toBeUndefined();
});

test('a process that is told to end does at once', async () => {
  const { stop, ended } = testProcess({ isConnected: true, liveSessions: 1, isBusy: true });

  stop.abort();

  await expect(ended).resolves.toBeUndefined();
});
