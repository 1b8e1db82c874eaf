import { accessSync, chmodSync, constants, mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const IN_MEMORY = '/dev/shm';
/** The largest tests write a few hundred megabytes at once. */
const NEEDED_BYTES = 4 * 2 ** 30;

/**
 * Gives a run of the tests a temporary folder of its own, and whatever a killed test left there goes with it.
 *
 * It lies in memory where there is room: tests write and sync thousands of small databases, and none has to survive a power
 * cut. A `TMPDIR` that somebody set is respected.
 */
export function useOwnTempFolder(): () => void {
  const before = process.env['TMPDIR'];
  const folder = mkdtempSync(join(before ?? (hasRoomInMemory() ? IN_MEMORY : tmpdir()), 'dragoman-'));
  chmodSync(folder, 0o711); // PostgreSQL may run as another user.
  process.env['TMPDIR'] = folder;
  return () => {
    if (before === undefined) delete process.env['TMPDIR'];
    else process.env['TMPDIR'] = before;
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  };
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
