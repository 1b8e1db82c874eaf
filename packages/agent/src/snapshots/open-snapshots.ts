import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, realpath } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { DragomanError } from '@dragoman/protocol';
import { findProgram, searchPathOutside } from '@dragoman/server/base';
import { collectGarbage, type GarbageReport } from './collect-garbage.ts';
import { keptStates } from './kept-states.ts';
import { diffStates, type FileChange, listChanges } from './list-changes.ts';
import { refuseRoot } from './refuse-root.ts';
import { type RestoredFiles, restoreFiles, type RestoreTarget } from './restore-files.ts';
import { GitFailedError } from './run-git.ts';
import { forgetLayout, openShadowRepository, type ShadowRepository } from './shadow-repository.ts';
import { openStateLock } from './state-lock.ts';
import { doesNotFit, type KnownTree, type TrackedFiles, trackFiles } from './track-files.ts';

/** As much of a log as snapshots write to. */
export interface SnapshotLog {
  debug(fields: object, message: string): void;
  warn(fields: object, message: string): void;
}

/** What snapshots are made of, where they are kept, and how much. */
export interface SnapshotOptions {
  /** Where our directories lie, one per project. */
  folder: string;
  /** The project. */
  root: string;
  log: SnapshotLog;
  /** Larger files are left out. */
  maxFileBytes?: number;
  /** Of a folder with more files no snapshots are made. */
  maxFiles?: number;
  /** How much space the states of the project may take. */
  maxBytes?: number;
  /** So many objects are packed into one file when garbage is collected. */
  maxObjectFiles?: number;
  gitPath?: string;
  /** For each start of git, and for waiting until another process is done. */
  timeLimitMs?: number;
  home?: string;
  now?: () => number;
}

/** The states of a project's files. */
export interface Snapshots {
  /** Why there are none at all: the git program is missing. */
  readonly unavailable: string | undefined;
  /** Why none are made of this folder, or no more; those that were made can still be gone back to. */
  readonly refusal: string | undefined;
  /** The files as they are now; undefined when that cannot be told, which is logged and stops nothing else. */
  track(signal?: AbortSignal): Promise<string | undefined>;
  /** What changed from one state to another, or to now. */
  changes(before: string, after?: string): Promise<FileChange[]>;
  /** A unified diff; what is too long is cut, and says so. */
  diff(before: string, after: string, path?: string): Promise<string>;
  /** Puts exactly these files back to how they were in that state. `undo` is the state before it did. */
  restore(hash: string, paths: readonly string[], signal?: AbortSignal): Promise<Restoration>;
  /** The same for files of several states at once. Each path may be named once. */
  restoreEach(targets: readonly RestoreTarget[], signal?: AbortSignal): Promise<Restoration>;
  /** Forgets states that nobody has seen for so long, and older ones until the rest fits the space. Without any: undefined. */
  collectGarbage(options?: { keepDays?: number; signal?: AbortSignal }): Promise<GarbageReport | undefined>;
  close(): Promise<void>;
}

/** What was put back; `undo` is the state of a moment before. */
export interface Restoration extends RestoredFiles {
  undo: string;
}

const MB = 1024 * 1024;

/**
 * Snapshots of a project, kept in a git directory of our own below `folder`. The project's own repository is read, to
 * share its objects, and never written: not its index, its branches, its stash or its settings. Nothing is run and
 * nothing is written before the first `track`.
 */
export async function openSnapshots(options: SnapshotOptions): Promise<Snapshots> {
  const { log, maxFileBytes = 2 * MB, maxFiles = 50_000, maxBytes = 1024 * MB, timeLimitMs = 60_000 } = options;
  const { maxObjectFiles = 2_000, now = Date.now } = options;
  const root = await realpath(options.root).catch((cause: unknown) => {
    throw new DragomanError('not-found', `The folder ${options.root} is not there.`, { cause });
  });
  const folder = resolve(options.folder);
  const gitPath = findProgram(options.gitPath ?? 'git', searchPathOutside(process.env['PATH'] ?? '', root));
  const unavailable =
    gitPath === undefined ? 'The git program was not found; without it files cannot be put back.' : undefined;
  const neverHere = unavailable ?? refuseRoot(root, options.home);
  let refusal = unavailable === undefined ? neverHere : undefined;

  const gitDir = join(folder, createHash('sha256').update(root).digest('hex').slice(0, 32));
  const lock = openStateLock(gitDir, timeLimitMs);
  const states = keptStates(gitDir, now);
  const limits = { maxFileBytes, maxFiles, maxBytes };
  let known: KnownTree | undefined;
  let isClosed = false;
  let addedBytes = 0;

  const open = async (signal?: AbortSignal) => {
    const realFolder = await realpath(folder);
    const noteGit = lock.noteGit;
    return openShadowRepository({ gitDir, root, folder: realFolder, gitPath: gitPath!, timeLimitMs, noteGit }, signal);
  };

  /** One at a time, and only where there can be snapshots. */
  const withShadow = async <Result>(
    work: (shadow: ShadowRepository) => Promise<Result>,
    signal?: AbortSignal,
  ): Promise<Result> => {
    if (neverHere !== undefined) throw new DragomanError('unavailable', neverHere);
    await mkdir(gitDir, { recursive: true, mode: 0o700 });
    if (isClosed) throw new DragomanError('unavailable', `The snapshots of ${root} are closed.`);
    return lock.hold(async () => work(await open(signal)), signal);
  };

  /** A file that changes while it is read makes git fail, so it gets a second chance; the third starts from nothing. */
  const trackIn = async (first: ShadowRepository, signal?: AbortSignal): Promise<string> => {
    const tracked = await trackFiles(first, limits, known, signal)
      .catch((error: unknown) => {
        if (!(error instanceof GitFailedError)) throw error;
        return trackFiles(first, limits, undefined, signal);
      })
      .catch(async (error: unknown): Promise<TrackedFiles & { known: KnownTree }> => {
        if (!(error instanceof GitFailedError)) throw error;
        log.warn({ root, reason: error.message }, 'the record of the files is made anew');
        await forgetLayout(gitDir);
        return trackFiles(await open(signal), limits, undefined, signal);
      });
    known = tracked.known;
    addedBytes += tracked.addedBytes;
    await states.remember(tracked.tree, tracked.leftOut);
    return tracked.tree;
  };

  const collect = async (keepDays: number, signal?: AbortSignal): Promise<GarbageReport> =>
    withShadow(async (shadow) => {
      addedBytes = 0;
      const report = await collectGarbage(shadow, states, { keepDays, maxBytes, maxObjectFiles, now: now() }, signal);
      log.debug({ root, ...report }, 'old snapshots were collected');
      if (report.isTooLarge) refusal = doesNotFit(root, maxBytes);
      return report;
    }, signal);

  const restoreEach = (targets: readonly RestoreTarget[], signal?: AbortSignal): Promise<Restoration> =>
    withShadow(async (shadow) => {
      const undo = await trackIn(shadow, signal);
      return { undo, ...(await restoreFiles(shadow, states, undo, targets, signal)) };
    }, signal);

  return {
    unavailable,
    get refusal() {
      return refusal;
    },
    async track(signal) {
      if (neverHere !== undefined || refusal !== undefined || isClosed) return undefined;
      try {
        const hash = await withShadow((shadow) => trackIn(shadow, signal), signal);
        // Rarely, and never on the way to what the caller waits for.
        if (addedBytes > maxBytes / 4)
          void collect(KEEP_DAYS).catch((err: unknown) => log.warn({ err, root }, UNCOLLECTED));
        return hash;
      } catch (error) {
        if (error instanceof DragomanError && error.code === 'cancelled') throw error;
        // What took too long or has too much would do so again at every step.
        if (error instanceof DragomanError && (error.code === 'too-large' || error.code === 'timed-out'))
          refusal = error.message;
        log.warn({ root, err: error }, 'no snapshot of the files could be made');
        return undefined;
      }
    },
    changes: (before, after) =>
      withShadow(async (shadow) => listChanges(shadow, states, before, after ?? (await trackIn(shadow)))),
    diff: (before, after, path) => withShadow((shadow) => diffStates(shadow, before, after, path)),
    restore: (hash, paths, signal) => restoreEach([{ hash, paths }], signal),
    restoreEach,
    async collectGarbage({ keepDays = KEEP_DAYS, signal } = {}) {
      const hasStates = existsSync(join(gitDir, 'layout.json'));
      if (!hasStates || neverHere !== undefined || isClosed) return undefined;
      return collect(keepDays, signal);
    },
    async close() {
      isClosed = true;
      await lock.close();
    },
  };
}

const KEEP_DAYS = 7;
const UNCOLLECTED = 'old snapshots could not be collected';
