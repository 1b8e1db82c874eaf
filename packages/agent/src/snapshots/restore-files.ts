import { join } from 'node:path';
import { DragomanError } from '@dragoman/protocol';
import { ignoredThen } from './ignored-then.ts';
import type { KeptStates } from './kept-states.ts';
import { hasFolders, lstatOrNothing, putFile, removeFile } from './put-file.ts';
import { readBlobs } from './read-blobs.ts';
import { readTree, type TreeEntry } from './read-tree.ts';
import type { ShadowRepository } from './shadow-repository.ts';

/** Files that go back to how they were in a state. */
export interface RestoreTarget {
  hash: string;
  paths: readonly string[];
}

/** A file that was left as it is, and why. */
export interface SkippedFile {
  path: string;
  reason: string;
}

/** What became of the files that were to go back. */
export interface RestoredFiles {
  /** They are as they were in the state, also those that were so before. */
  restored: string[];
  skipped: SkippedFile[];
}

interface Wanted {
  path: string;
  hash: string;
  /** Undefined: it was not there. */
  entry: TreeEntry | undefined;
}

type Refused = SkippedFile;

/**
 * Puts files back. Nothing is lost by it that `nowHash`, the state of a moment ago, could not bring back: a file on the
 * disk that is not part of that state (ignored, too large) is left alone. What must go is deleted first, so that a
 * file finds its place where a folder is now, and the other way round.
 */
export async function restoreFiles(
  shadow: ShadowRepository,
  states: KeptStates,
  nowHash: string,
  targets: readonly RestoreTarget[],
  signal?: AbortSignal,
): Promise<RestoredFiles> {
  const restored: string[] = [];
  const skipped: SkippedFile[] = [];
  const attempt = async (path: string, act: () => Promise<void>) => {
    try {
      await act();
      restored.push(path);
    } catch (error) {
      skipped.push({ path, reason: reasonOf(error) });
    }
  };

  const now = await readTree(shadow, nowHash, signal);
  const wanted: Wanted[] = [];
  for (const target of targets) {
    const checked = await checkTarget(shadow, states, target, now, signal).catch((error: unknown) => {
      if (!(error instanceof DragomanError && error.code === 'not-found')) throw error;
      return target.paths.map((path): Refused => ({ path, reason: error.message }));
    });
    for (const file of checked) {
      if ('reason' in file) skipped.push(file);
      else wanted.push(file);
    }
  }

  // From here on it is not called off any more: half of it would be worse than all of it.
  for (const { path, entry } of wanted)
    if (entry === undefined) await attempt(path, () => removeFile(shadow.root, path));
  const written = wanted.filter((file) => file.entry !== undefined);
  const blobs = written.map(({ entry }) => entry!.blob);
  let done = 0;
  try {
    for await (const { content } of readBlobs(shadow, blobs)) {
      const { path, entry, hash } = written[done++]!;
      await attempt(path, async () => {
        if (content === undefined) throw new Error(`its content in the state ${hash} is no longer kept`);
        await putFile(shadow.root, path, entry!.kind, content);
      });
    }
  } catch (error) {
    for (const { path } of written.slice(done)) skipped.push({ path, reason: reasonOf(error) });
  }
  return { restored, skipped };
}

/** What each file of a target is to become, or why it stays. */
async function checkTarget(
  shadow: ShadowRepository,
  states: KeptStates,
  { hash, paths }: RestoreTarget,
  now: ReadonlyMap<string, TreeEntry>,
  signal?: AbortSignal,
): Promise<(Wanted | Refused)[]> {
  const then = await readTree(shadow, hash, signal);
  const leftOut = await states.leftOut(hash);
  const missing = paths.filter((path) => !then.has(path) && isSafe(path));
  const ignored = await ignoredThen(shadow, missing, then, now, signal);
  const check = async (path: string): Promise<Wanted | Refused> => {
    const refuse = (reason: string) => ({ path, reason });
    const entry = then.get(path);
    if (!isSafe(path)) return refuse('it is not the path of a file below the project');
    if (entry === undefined && leftOut.has(path))
      return refuse('it was not kept in that state, being too large or not readable');
    if (entry === undefined && ignored.has(path))
      return refuse('it was ignored in that state, so it is not known how it was');
    if (await wouldBeLost(shadow.root, path, now))
      return refuse('it is not part of what is kept now, being ignored or too large, and could not be brought back');
    return { path, hash, entry };
  };
  return Promise.all([...new Set(paths)].map(check));
}

/** Paths come from a log; only those that a state could have given are followed. */
function isSafe(path: string): boolean {
  const isWindows = process.platform === 'win32';
  if (path.includes('\0') || path.includes('\uFFFD') || (isWindows && /[\\:]/.test(path))) return false;
  return path.split('/').every((part) => part !== '' && part !== '.' && part !== '..' && part.toLowerCase() !== '.git');
}

async function wouldBeLost(root: string, path: string, now: ReadonlyMap<string, TreeEntry>): Promise<boolean> {
  // Where a link or a file is on the way to it, there is no such file; whether that may go is decided for itself.
  if (now.has(path) || !(await hasFolders(root, path))) return false;
  const present = await lstatOrNothing(join(root, path));
  return present !== undefined && !present.isDirectory();
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
