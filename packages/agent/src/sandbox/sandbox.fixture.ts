import { findBubblewrap } from './find-bubblewrap.ts';
import { openSandbox, type Sandbox, type SandboxOptions, type SandboxRun } from './open-sandbox.ts';
import type { SandboxResult } from './run-confined.ts';

/** Without bubblewrap what needs it is skipped; where it is there, it has to work. */
export const hasSandbox = await findBubblewrap().then(
  () => true,
  () => false,
);

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
