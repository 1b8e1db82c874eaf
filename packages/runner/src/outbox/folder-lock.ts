import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { DragomanError } from '@dragoman/protocol';
import { identifyProcess, isProcessAlive, isProcessProven, type ProcessIdentity } from '@dragoman/server/base';

const LOCK_FILE = 'lock';
const HOLDER_FILE = 'holder.json';
/** Who only looks has the lock for a few milliseconds; the event loop stands still meanwhile. */
const LOOK_MS = 250;
const SQLITE_BUSY = 5;

/** What a holder says of itself. */
interface HolderNote extends ProcessIdentity {
  since: string;
}

/**
 * Holds a folder for this process alone; the function given back lets go of it.
 *
 * The lock is one that the system takes back when a process ends in any way, so none is ever left behind. Node has no
 * such lock of its own; SQLite's lock on an empty database is one.
 */
export function lockFolder(folder: string): () => void {
  const lock = takeLock(folder, 0) ?? (livingHolder(folder) === undefined ? takeLock(folder, LOOK_MS) : undefined);
  if (lock === undefined)
    throw new DragomanError(
      'conflict',
      `${folder} is in use by ${describeHolder(folder)}; stop that one, or give this runner a data folder of its own`,
    );
  const holderFile = join(folder, HOLDER_FILE);
  try {
    const note: HolderNote = { ...identifyProcess(process.pid), since: new Date().toISOString() };
    writeFileSync(holderFile, JSON.stringify(note), { mode: 0o600 });
  } catch {
    // It only helps to tell who holds the lock; a full disk is met elsewhere.
  }
  return () => {
    if (!lock.isOpen) return;
    rmSync(holderFile, { force: true });
    lock.close();
  };
}

/** Whether a process holds a folder. */
export function isFolderHeld(folder: string): boolean {
  if (!existsSync(join(folder, LOCK_FILE))) return false;
  const holder = livingHolder(folder);
  const lock = takeLock(folder, holder !== undefined && isProcessProven(holder) ? 0 : LOOK_MS);
  lock?.close();
  return lock === undefined;
}

/** The process that holds a folder; nothing where none does, or where it could not say who it is. */
export function folderHolder(folder: string): ProcessIdentity | undefined {
  return isFolderHeld(folder) ? livingHolder(folder) : undefined;
}

/** The lock; nothing where another has it for longer than that. */
function takeLock(folder: string, timeout: number): DatabaseSync | undefined {
  const lockFile = join(folder, LOCK_FILE);
  // SQLite would make it readable to others. Opening it once more where this process has the lock would let go of that.
  if (!existsSync(lockFile)) writeFileSync(lockFile, '', { flag: 'a', mode: 0o600 });
  const lock = new DatabaseSync(lockFile, { timeout });
  try {
    // A journal in memory needs no room on a disk that is full.
    lock.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE');
    return lock;
  } catch (error) {
    lock.close();
    if ((error as { errcode?: number }).errcode !== SQLITE_BUSY) throw error;
    return undefined;
  }
}

/** The process that the last holder's note names, if it still is that one. */
function livingHolder(folder: string): HolderNote | undefined {
  try {
    const { pid, birth, since } = JSON.parse(readFileSync(join(folder, HOLDER_FILE), 'utf8')) as Record<
      string,
      unknown
    >;
    if (typeof pid !== 'number' || !Number.isSafeInteger(pid) || pid <= 0) return undefined;
    const note = { pid, birth: typeof birth === 'string' ? birth : undefined, since: String(since) };
    return isProcessAlive(note) ? note : undefined;
  } catch {
    return undefined;
  }
}

function describeHolder(folder: string): string {
  const holder = livingHolder(folder);
  return holder === undefined ? 'another process' : `process ${holder.pid} since ${holder.since}`;
}
