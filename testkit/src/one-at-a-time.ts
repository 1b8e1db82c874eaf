import { mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as delay } from 'node:timers/promises';

const POLL_MS = 200;

/**
 * Does what only one process of this machine may do at a time: test files run side by side, and so may two checkouts.
 *
 * The lock is SQLite's on a file of its own. The system lets go of it when its holder dies, so none is ever left behind.
 */
export async function oneAtATime<Result>(
  lockFile: string,
  limitMs: number,
  work: () => Promise<Result>,
): Promise<Result> {
  mkdirSync(dirname(lockFile), { recursive: true });
  const last = Date.now() + limitMs;
  const lock = new DatabaseSync(lockFile, { timeout: 0 });
  try {
    while (!taken(lock)) {
      if (Date.now() > last) throw new Error(`${lockFile} was held by another process for more than ${limitMs} ms`);
      await delay(POLL_MS);
    }
    return await work();
  } finally {
    lock.close();
  }
}

function taken(lock: DatabaseSync): boolean {
  const BUSY = 5;
  try {
    lock.exec('BEGIN EXCLUSIVE');
    return true;
  } catch (error) {
    if ((error as { errcode?: number }).errcode !== BUSY) throw error;
    return false;
  }
}
