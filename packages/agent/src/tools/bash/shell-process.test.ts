import { execFileSync } from 'node:child_process';
import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import { tempFolder } from '@dragoman/testkit';
import { expect, onTestFinished, test, vi } from 'vitest';
import { isAlive } from './bash.fixture.ts';
import { GroupGuard } from './group-guard.ts';
import { OutputKeeper } from './output-keeper.ts';
import { startShell } from './shell-process.ts';

test('all that a command printed is kept, however long after its end the file takes it', async () => {
  const folder = tempFolder();
  const output = new OutputKeeper({ folder, name: 'slow', limits: { maxBytes: 1_000 } });
  // Nothing is written to it before somebody reads.
  const file = join(folder, 'slow.txt');
  execFileSync('mkfifo', [file]);
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const argv = ['/bin/sh', '-c', 'head -c 150000 /dev/zero'];

  const shell = await startShell({ argv, cwd: folder, env: process.env as never, output, guard: new GroupGuard() });
  await vi.waitFor(() => expect(isAlive(shell.pid)).toBe(false), 60_000);
  await vi.advanceTimersByTimeAsync(60_000);
  const pieces: Buffer[] = await createReadStream(file).toArray();

  expect(await shell.exited).toEqual({ exitCode: 0, signal: null, hasLeftovers: false });
  expect([output.totalBytes, Buffer.concat(pieces).length]).toEqual([150_000, 150_000]);
});
