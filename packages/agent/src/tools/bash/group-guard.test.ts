import { spawn } from 'node:child_process';
import { expect, test, vi } from 'vitest';
import { isAlive } from './bash.fixture.ts';
import { GroupGuard } from './group-guard.ts';

function start(): number {
  return spawn('/bin/sh', ['-c', 'exec sleep 1000'], { detached: true, stdio: 'ignore' }).pid!;
}

test('groups are watched until they are gone, and listened for only as long [FR-32]', async () => {
  const listeners = () => process.listenerCount('exit');
  const before = listeners();
  const [one, other] = [new GroupGuard(), new GroupGuard()];
  const pids = [start(), start()];
  one.add(pids[0]!);
  other.add(pids[1]!);
  expect(listeners()).toBe(before + 1);

  one.release();
  expect(pids.map(isAlive)).toEqual([true, true]);
  await one.stopAll(10_000);
  expect(pids.map(isAlive)).toEqual([false, true]);
  expect(listeners()).toBe(before + 1);

  other.killAll();
  await vi.waitFor(() => expect(pids.map(isAlive)).toEqual([false, false]), 60_000);
  expect(listeners()).toBe(before);
});
