import { accessSync, chmodSync, constants, mkdtempSync, readdirSync, rmSync, statfsSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const IN_MEMORY = '/dev/shm';
/** The largest tests write a few hundred megabytes at once. */
const NEEDED_BYTES = 4 * 2 ** 30;
/** The process that made it is part of its name: what a killed run left is known by that. */
const NAME = /^dragoman-run-(\d+)-/;

/**
 * Gives a run of the tests a temporary folder of its own, and whatever a killed test left there goes with it; so does what
 * a killed run left beside it.
 *
 * It lies in memory where there is room: tests write and sync thousands of small databases, and none has to survive a power
 * cut. A `TMPDIR` that somebody set is respected.
 */
export function useOwnTempFolder(): () => void {
  const before = process.env['TMPDIR'];
  const base = chosenFolder(before) ?? (hasRoomInMemory() ? IN_MEMORY : tmpdir());
  removeLeftovers(base);
  const folder = mkdtempSync(join(base, `dragoman-run-${process.pid}-`));
  chmodSync(folder, 0o711); // PostgreSQL may run as another user.
  process.env['TMPDIR'] = folder;
  const remove = () => rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  process.once('exit', remove); // Ctrl-C leaves no time for more.
  return () => {
    process.off('exit', remove);
    if (before === undefined) delete process.env['TMPDIR'];
    else process.env['TMPDIR'] = before;
    remove();
  };
}

function chosenFolder(named: string | undefined): string | undefined {
  if (named === undefined || named === '') return undefined;
  const folder = resolve(named);
  if (statSync(folder, { throwIfNoEntry: false })?.isDirectory() !== true)
    throw new Error(`TMPDIR names ${folder}, which is no folder. Make it, name another one, or unset TMPDIR.`);
  return folder;
}

function removeLeftovers(base: string): void {
  for (const name of readdirSync(base)) {
    const pid = NAME.exec(name)?.[1];
    if (pid === undefined || isRunning(Number(pid))) continue;
    try {
      rmSync(join(base, name), { recursive: true, force: true });
    } catch {
      // Somebody else's.
    }
  }
}

/** Written here: this is loaded before the packages can be. */
function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH';
  }
}

function hasRoomInMemory(): boolean {
  try {
    accessSync(IN_MEMORY, constants.W_OK);
    const { bavail, bsize } = statfsSync(IN_MEMORY);
    return bavail * bsize >= NEEDED_BYTES;
  } catch {
    return false;
  }
}
