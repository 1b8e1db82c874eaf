import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { expect, onTestFinished, test } from 'vitest';
import { identifyProcess, isProcessAlive, isProcessProven } from './process-identity.ts';

async function sleeper() {
  const child = spawn('sleep', ['600']);
  onTestFinished(() => void child.kill('SIGKILL'));
  await once(child, 'spawn');
  return child;
}

test('a process is there until it ends', async () => {
  const child = await sleeper();
  const identity = identifyProcess(child.pid!);

  expect(isProcessAlive(identity)).toBe(true);
  child.kill('SIGKILL');
  await once(child, 'exit');
  expect(isProcessAlive(identity)).toBe(false);
});

test.runIf(process.platform === 'linux')(
  'another process of the same number is not the one that was meant',
  async () => {
    const { pid } = await sleeper();
    const { birth } = identifyProcess(pid!);

    expect(isProcessProven({ pid: pid!, birth })).toBe(true);
    expect(isProcessAlive({ pid: process.pid, birth })).toBe(false);
    expect(isProcessAlive({ pid: pid!, birth: identifyProcess(process.pid).birth })).toBe(false);
  },
);

test('where it is not known when a process was started, its number counts, and proves nothing', async () => {
  const { pid } = await sleeper();

  expect([isProcessAlive({ pid: pid! }), isProcessProven({ pid: pid! })]).toEqual([true, false]);
});

test.runIf(process.platform === 'linux')('a process that has ended and was not looked after is not alive', async () => {
  // The shell becomes a program that never asks what became of its child.
  const parent = spawn('sh', ['-c', 'sleep 600 & echo $!; exec sleep 600'], { stdio: ['ignore', 'pipe', 'ignore'] });
  onTestFinished(() => void parent.kill('SIGKILL'));
  const pid = Number(String((await once(parent.stdout, 'data'))[0]));
  await expect.poll(() => readFileSync(`/proc/${parent.pid}/comm`, 'utf8')).toBe('sleep\n');
  process.kill(pid, 'SIGKILL');

  await expect.poll(() => isProcessAlive({ pid })).toBe(false);
  expect(process.kill(pid, 0)).toBe(true);
});
