import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { DragomanError } from '@dragoman/protocol';

/**
 * Holds a folder for this process alone; the function given back lets go of it.
 *
 * The lock is one that the system takes back when a process ends in any way, so none is ever left behind. Node has no
 * such lock of its own; SQLite's lock on an empty database is one.
 */
export function lockFolder(folder: string): () => void {
  const holderFile = join(folder, 'holder.json');
  const lockFile = join(folder, 'lock');
  writeFileSync(lockFile, '', { flag: 'a', mode: 0o600 }); // SQLite would make it readable to others.
  const lock = new DatabaseSync(lockFile, { timeout: 0 });
  try {
    lock.exec('BEGIN EXCLUSIVE');
  } catch (error) {
    lock.close();
    throw new DragomanError(
      'conflict',
      `${folder} is in use by ${holder(holderFile)}; stop that one, or give this runner a data folder of its own`,
      { cause: error },
    );
  }
  try {
    writeFileSync(holderFile, JSON.stringify({ pid: process.pid, since: new Date().toISOString() }), { mode: 0o600 });
  } catch {
    // It only helps to tell who holds the lock; a full disk is met elsewhere.
  }
  return () => {
    if (lock.isOpen) lock.close();
  };
}

function holder(file: string): string {
  try {
    const { pid, since } = JSON.parse(readFileSync(file, 'utf8')) as { pid: unknown; since: unknown };
    return `process ${String(pid)} since ${String(since)}`;
  } catch {
    return 'another process';
  }
}
