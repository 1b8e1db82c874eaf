import { spawnSync } from 'node:child_process';
import { type Bubblewrap, findBubblewrap } from './find-bubblewrap.ts';
import { openSandbox, type Sandbox, type SandboxOptions, type SandboxRun } from './open-sandbox.ts';
import { findProcessLimit } from './process-limit.ts';
import type { SandboxResult } from './run-confined.ts';

/**
 * What needs the sandbox is skipped where there is no bubblewrap, or where the system does not let it do anything, as in most
 * containers. Where bubblewrap works, the sandbox has to.
 */
export const hasSandbox = await findBubblewrap().then(canConfine, () => false);

async function canConfine({ path }: Bubblewrap): Promise<boolean> {
  const isHeld = await findProcessLimit({}).then(
    () => true,
    () => false,
  );
  const args = ['--unshare-all', '--ro-bind', '/', '/', '--dev', '/dev', '--proc', '/proc', '/bin/sh', '-c', ':'];
  return isHeld && spawnSync(path, args, { stdio: 'ignore' }).status === 0;
}

/** Small enough for a small machine, and enough for Node. */
export const SMALL = { timeoutMs: 20_000, memoryBytes: 128 * 2 ** 20, maxProcesses: 8, maxOutputBytes: 100_000 };

/** Runs JavaScript in a sandbox. */
export async function runScript(
  code: string,
  { sandbox, options, ...run }: Partial<SandboxRun> & { sandbox?: Sandbox; options?: SandboxOptions } = {},
): Promise<SandboxResult> {
  const place = sandbox ?? (options === undefined ? await usual() : await openSandbox(options));
  return place.run({
    ...SMALL,
    command: [process.execPath, '-e', code],
    cwd: '/',
    abort: new AbortController().signal,
    ...run,
  });
}

let opened: Promise<Sandbox> | undefined;

/** One for all scripts that need nothing special. */
function usual(): Promise<Sandbox> {
  opened ??= openSandbox();
  return opened;
}
