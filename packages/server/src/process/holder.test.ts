import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, test } from 'vitest';
import { endHolder, isGone, newHolder } from './holder.ts';

test('a holder of this process is gone once it has ended, and one that had the same number before always was', () => {
  const holder = newHolder();
  const [host, pid] = holder.split(' ');
  expect([isGone(holder), isGone(`${host} ${pid} somebody-else`)]).toEqual([false, true]);
  endHolder(holder);
  expect(isGone(holder)).toBe(true);
});

test('a holder of another process is gone once that does not live any more', async () => {
  const [host] = newHolder().split(' ');
  const child = spawn(process.execPath, ['-e', 'process.stdin.resume()']);
  await once(child, 'spawn');
  const holder = `${host} ${child.pid} an-id`;
  expect(isGone(holder)).toBe(false);

  child.kill('SIGKILL');
  await once(child, 'exit');

  expect(isGone(holder)).toBe(true);
});

test('of other hosts, and of names that are none, nothing is known', () => {
  for (const holder of ['elsewhere/pid 1 an-id', '', 'f81d4fae-7dec-11d0-a765-00a0c91e6bf6', 'a b c', 'a -1 c'])
    expect(isGone(holder)).toBe(false);
});
