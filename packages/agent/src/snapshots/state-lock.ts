import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { access, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { DatabaseSync } from 'node:sqlite';
import { setTimeout as delay } from 'node:timers/promises';
import { DragomanError } from '@dragoman/protocol';

const FIRST_WAIT_MS = 4;
const LONGEST_WAIT_MS = 100;

/** One piece of work at a time on the directory of a project, in this process and among all others. */
export interface StateLock {
  hold<Result>(work: () => Promise<Result>, signal?: AbortSignal): Promise<Result>;
  /** Notes which process may have left git's own lock behind, should we be killed. */
  noteGit(pid: number): void;
  /** Waits for the work under way. */
  close(): Promise<void>;
}

/**
 * The lock between processes is that of SQLite on an empty file: the system lets go of it when its holder dies, however
 * that happens, so it is never stale. Git's own `index.lock` can be: whoever holds ours first waits for a git that
 * outlived its parent, then clears it away.
 */
export function openStateLock(gitDir: string, timeLimitMs: number): StateLock {
  let last: Promise<unknown> = Promise.resolve();
  let database: DatabaseSync | undefined;
  const pidFile = join(gitDir, 'git.pid');

  const acquire = async (signal?: AbortSignal) => {
    if (database === undefined) {
      const sqlite = await import('node:sqlite');
      const lockFile = join(gitDir, 'lock');
      writeFileSync(lockFile, '', { flag: 'a', mode: 0o600 }); // SQLite would make it readable to others.
      database = new sqlite.DatabaseSync(lockFile, { timeout: 0 });
    }
    await waitUntil(() => tryBegin(database!), timeLimitMs, gitDir, signal);
    try {
      await clearIndexLock(gitDir, pidFile, timeLimitMs, signal);
    } catch (error) {
      database.exec('ROLLBACK');
      throw error;
    }
  };

  return {
    hold(work, signal) {
      let isStarted = false;
      const run = last.then(async () => {
        throwIfCancelled(signal);
        isStarted = true;
        await acquire(signal);
        try {
          return await work();
        } finally {
          database!.exec('ROLLBACK');
        }
      });
      last = run.catch(() => {});
      return signal === undefined ? run : orCancelled(run, signal, () => !isStarted);
    },
    noteGit: (pid) => writeFileSync(pidFile, `${pid}`, { mode: 0o600 }),
    async close() {
      await last;
      database?.close();
      database = undefined;
    },
  };
}

/** Whoever still waits for their turn need not wait for it to be called off. */
function orCancelled<Result>(run: Promise<Result>, signal: AbortSignal, isWaiting: () => boolean): Promise<Result> {
  return new Promise((resolve, reject) => {
    const onAbort = () => {
      if (isWaiting()) reject(cancelled());
    };
    signal.addEventListener('abort', onAbort, { once: true });
    void run.then(resolve, reject).finally(() => signal.removeEventListener('abort', onAbort));
  });
}

const SQLITE_BUSY = 5;

function tryBegin(database: DatabaseSync): boolean {
  try {
    database.exec('BEGIN EXCLUSIVE');
    return true;
  } catch (error) {
    if ((error as { errcode?: number }).errcode === SQLITE_BUSY) return false;
    throw error;
  }
}

async function clearIndexLock(gitDir: string, pidFile: string, limitMs: number, signal?: AbortSignal): Promise<void> {
  const locks = ['index.lock', 'index.seed.lock'].map((name) => join(gitDir, name));
  const present = await Promise.all(locks.map((path) => access(path).then(...YES_OR_NO)));
  if (!present.includes(true)) return;
  const pid = Number(readText(pidFile));
  await waitUntil(() => !isRunningGit(pid), limitMs, gitDir, signal);
  await Promise.all(locks.map((path) => rm(path, { force: true })));
  rmSync(pidFile, { force: true });
}

const YES_OR_NO = [() => true, () => false] as const;

/** A number may have gone to another program since, and one that has ended may wait to be buried. */
function isRunningGit(pid: number): boolean {
  if (!(pid > 0)) return false;
  if (process.platform === 'linux') {
    const [, name, state] = /\((.*)\) (\w)/.exec(readText(`/proc/${pid}/stat`) ?? '') ?? [];
    return name?.startsWith('git') === true && state !== 'Z' && state !== 'X';
  }
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

async function waitUntil(isDone: () => boolean, limitMs: number, gitDir: string, signal?: AbortSignal): Promise<void> {
  const end = performance.now() + limitMs;
  for (let waitMs = FIRST_WAIT_MS; !isDone(); waitMs = Math.min(waitMs * 2, LONGEST_WAIT_MS)) {
    if (performance.now() > end)
      throw new DragomanError('conflict', `Another process has worked on ${gitDir} for more than ${limitMs} ms.`, {
        isRetryable: true,
      });
    await delay(waitMs);
    throwIfCancelled(signal);
  }
}

function throwIfCancelled(signal?: AbortSignal): void {
  if (signal?.aborted === true) throw cancelled();
}

function cancelled(): DragomanError {
  return new DragomanError('cancelled', 'The work on the snapshot was cancelled.');
}

function readText(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined;
  }
}
