import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { oneAtATime } from './one-at-a-time.ts';
import { tempFolder } from './temp-folder.ts';

const LONG_MS = 60_000;

test('what is under way is waited for, also within one process', async () => {
  const lock = join(tempFolder(), 'a/lock');
  const order: string[] = [];
  const work = (name: string) => async () => {
    order.push(`${name} begins`);
    await new Promise((resolve) => setImmediate(resolve));
    order.push(`${name} ends`);
    return name;
  };

  const done = await Promise.all([
    oneAtATime(lock, LONG_MS, work('one')),
    oneAtATime(lock, LONG_MS, work('two')),
    oneAtATime(lock, LONG_MS, () => Promise.reject(new Error('no'))).catch((error: Error) => error.message),
  ]);

  expect(done).toEqual(['one', 'two', 'no']);
  expect(order).toEqual(['one begins', 'one ends', 'two begins', 'two ends']);
});

test('another process that holds it is waited for so long and no longer; one that was killed holds nothing', async () => {
  const lock = join(tempFolder(), 'lock');
  const module = fileURLToPath(new URL('one-at-a-time.ts', import.meta.url));
  // A promise that nothing can resolve would be collected, and the lock with it.
  const holds = `import { oneAtATime } from ${JSON.stringify(module)};
    await oneAtATime(${JSON.stringify(lock)}, ${LONG_MS}, () => new Promise((resolve) => {
      console.log('held');
      setTimeout(resolve, ${LONG_MS});
    }));`;
  const holder = spawn(process.execPath, ['--input-type=module', '-e', holds], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void holder.kill('SIGKILL'));
  await once(holder.stdout, 'data');

  await expect(oneAtATime(lock, 0, () => Promise.resolve())).rejects.toThrow('was held by another process');
  holder.kill('SIGKILL');
  await once(holder, 'exit');

  expect(await oneAtATime(lock, LONG_MS, () => Promise.resolve('mine'))).toBe('mine');
});
