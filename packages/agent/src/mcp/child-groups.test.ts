import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { expect, test, vi } from 'vitest';
import { isRunning } from './mcp.fixture.ts';

const WAIT_MS = 60_000;

/** A process of ours that starts a server which ignores every polite request to go. */
async function owner(): Promise<{ pid: number; server: number; helper: number; stop(signal?: 'SIGKILL'): void }> {
  const script = fileURLToPath(new URL('owner.fixture.ts', import.meta.url));
  const child = spawn(process.execPath, ['--conditions=@dragoman/source', script], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const [line] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
  const pids = JSON.parse(line) as { server: number; helper: number };
  return {
    pid: child.pid!,
    ...pids,
    stop: (signal) => void (signal === undefined ? child.stdin.end() : child.kill(signal)),
  };
}

test('when we exit, no server of ours is left, nor what it started', async () => {
  const { server, helper, stop } = await owner();
  expect([server, helper].map(isRunning)).toEqual([true, true]);

  stop();

  await vi.waitFor(() => expect([server, helper].map(isRunning)).toEqual([false, false]), WAIT_MS);
});

test('when we are killed, no server of ours is left either', async () => {
  const { server, helper, stop } = await owner();

  stop('SIGKILL');

  await vi.waitFor(() => expect([server, helper].map(isRunning)).toEqual([false, false]), WAIT_MS);
});
