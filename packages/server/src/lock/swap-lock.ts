import { rmSync, writeFileSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { replaceFile } from '../config/replace-file.ts';
import { readLock } from './lock-note.ts';

/** How long another process may take for the same; it takes a few milliseconds. */
const GUARD_MS = 10_000;

/**
 * Puts the next text in the place of the lock, if it still holds the expected one; tells whether it did. `undefined` stands
 * for no lock.
 *
 * Comparing and writing are one step for all processes: a guard is held meanwhile, one that the system takes back when a
 * process ends in any way, so that nobody has to judge whether it was left behind. Node has no such guard of its own;
 * SQLite's lock on an empty database is one.
 */
export function swapLock(file: string, expected: string | undefined, next: string | undefined): boolean {
  const guardFile = `${file}.guard`;
  writeFileSync(guardFile, '', { flag: 'a', mode: 0o600 }); // SQLite would make it readable to others.
  const guard = new DatabaseSync(guardFile, { timeout: GUARD_MS });
  try {
    guard.exec('begin exclusive');
    if (readLock(file)?.text !== expected) return false;
    if (next === undefined) rmSync(file, { force: true });
    else replaceFile(file, next, 0o600);
    return true;
  } finally {
    guard.close();
  }
}
