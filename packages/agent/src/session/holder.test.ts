import { spawn } from 'node:child_process';
import { hostname } from 'node:os';
import { expect, test } from 'vitest';
import { isHolderAlive, thisProcess } from './holder.ts';

test('a process of this machine holds as long as it lives; of another machine that is not known', async () => {
  const other = spawn(process.execPath, ['-e', 'process.stdin.resume()'], { stdio: ['pipe', 'ignore', 'ignore'] });
  const named = (pid: number | undefined) => `${hostname()}:${pid}:1`;
  expect(isHolderAlive(named(other.pid))).toBe(true);
  const ended = new Promise((resolve) => other.once('exit', resolve));
  other.stdin.end();
  await ended;

  expect(isHolderAlive(named(other.pid))).toBe(false);
  expect(isHolderAlive('another-machine:1:1')).toBe(true);
});

test('this process has a name of its own, which an earlier one of the same number had not', () => {
  expect(thisProcess()).toBe(thisProcess());
  expect(isHolderAlive(`${hostname()}:${process.pid}:1`)).toBe(false);
});
