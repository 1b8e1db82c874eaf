import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { tempFolder } from '@dragoman/testkit';
import { expect, onTestFinished, test, vi } from 'vitest';

const program = fileURLToPath(new URL('load.ts', import.meta.url));

function startLoad(args: readonly string[], folder = tempFolder()) {
  const child = spawn(process.execPath, [program, ...args], { stdio: 'pipe', env: { ...process.env, TMPDIR: folder } });
  onTestFinished(() => void child.kill('SIGKILL'));
  return child;
}

/** The processes that write into the folder, by the environment they were started with. */
function processesIn(folder: string): string[] {
  return readdirSync('/proc').filter((pid) => {
    try {
      return readFileSync(`/proc/${pid}/environ`, 'utf8').includes(`TMPDIR=${folder}\0`);
    } catch {
      return false; // Not a process, or not ours, or gone.
    }
  });
}

test('a command beside a load has its own output and exit code, and the load ends with it', async () => {
  const folder = tempFolder();
  const child = startLoad(['4', '--', process.execPath, '-e', 'console.log("hello"); process.exit(7)'], folder);
  const [stdout, [code]] = await Promise.all([text(child.stdout), once(child, 'exit')]);
  expect({ stdout, code }).toEqual({ stdout: 'hello\n', code: 7 });
  await vi.waitFor(() => expect(readdirSync(folder)).toEqual([]), { timeout: 60_000 });
});

test.runIf(process.platform === 'linux')('a load whose parent is killed ends too', async () => {
  const folder = tempFolder();
  const child = startLoad(['4'], folder);
  await once(child.stderr, 'data');
  expect(processesIn(folder)).toHaveLength(5);
  child.kill('SIGKILL');
  await vi.waitFor(() => expect(processesIn(folder)).toEqual([]), { timeout: 60_000 });
});

test('a load lasts no longer than it was told to', async () => {
  const child = startLoad(['2', '1']);
  expect(await once(child, 'exit')).toEqual([0, null]);
});

test('a load of nothing is refused with its usage', async () => {
  const child = startLoad(['none']);
  const [stderr, [code]] = await Promise.all([text(child.stderr), once(child, 'exit')]);
  expect({ stderr, code }).toEqual({
    stderr: expect.stringMatching(/^Usage: npm run -s load -- PROCESSES \[SECONDS\] \[-- COMMAND…\]\n/),
    code: 2,
  });
});
