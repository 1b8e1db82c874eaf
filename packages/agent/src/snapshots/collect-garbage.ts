import { readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { KeptState, KeptStates } from './kept-states.ts';
import { GitFailedError } from './run-git.ts';
import { forgetLayout, type ShadowRepository } from './shadow-repository.ts';

/** What a collection did. */
export interface GarbageReport {
  keptStates: number;
  forgottenStates: number;
  bytesBefore: number;
  bytes: number;
  /** Not even the files of now fit; nothing was kept. */
  isTooLarge: boolean;
}

interface GarbageLimits {
  /** States that nobody has seen for so long go. */
  keepDays: number;
  /** Above so many bytes the oldest states go too. */
  maxBytes: number;
  /** So many files of objects are packed into one. */
  maxObjectFiles: number;
  now: number;
}

const DAY_MS = 24 * 60 * 60 * 1_000;
const STATS_AT_ONCE = 64;

/**
 * Forgets old states and gives their space back. When the limit is still exceeded, or git finds that something is
 * missing (objects are shared with the project's repository, which may drop what only we still want), the oldest
 * of the rest go, and so on; at last the index, which is then made anew.
 */
export async function collectGarbage(
  shadow: ShadowRepository,
  states: KeptStates,
  { keepDays, maxBytes, maxObjectFiles, now }: GarbageLimits,
  signal?: AbortSignal,
): Promise<GarbageReport> {
  const { gitDir } = shadow;
  const all = await states.list();
  const before = await measure(join(gitDir, 'objects'));
  const forget = async (old: readonly KeptState[]) => {
    for (const { hash } of old) await states.forget(hash);
  };

  let kept = all.filter(({ usedAtMs }) => usedAtMs >= now - keepDays * DAY_MS);
  await forget(all.slice(0, all.length - kept.length));
  await removeLeftovers(gitDir);
  let size = before;
  let isTooLarge = false;
  if (kept.length < all.length || before.bytes > maxBytes || before.files > maxObjectFiles)
    for (;;) {
      const isDone = await prune(shadow, size.files > maxObjectFiles, signal);
      size = await measure(join(gitDir, 'objects'));
      if (isDone && size.bytes <= maxBytes) break;
      if (kept.length === 0) {
        isTooLarge = isDone;
        await forgetLayout(gitDir);
        await prune(shadow, false, signal);
        size = await measure(join(gitDir, 'objects'));
        break;
      }
      const oldest = Math.ceil(kept.length / 4);
      await forget(kept.slice(0, oldest));
      kept = kept.slice(oldest);
    }
  return {
    keptStates: kept.length,
    forgottenStates: all.length - kept.length,
    bytesBefore: before.bytes,
    bytes: size.bytes,
    isTooLarge,
  };
}

/** False when it could not be done because something that is wanted is missing. */
async function prune(shadow: ShadowRepository, isPacked: boolean, signal?: AbortSignal): Promise<boolean> {
  try {
    if (isPacked || (await hasPacks(shadow.gitDir)))
      await shadow.git(['-c', 'pack.threads=1', 'repack', '-a', '-d', '-l', '-q'], { signal });
    await shadow.git(['prune', '--expire=now'], { signal });
    return true;
  } catch (error) {
    if (error instanceof GitFailedError) return false;
    throw error;
  }
}

async function hasPacks(gitDir: string): Promise<boolean> {
  const names = await readdir(join(gitDir, 'objects', 'pack')).catch(() => []);
  return names.some((name) => name.endsWith('.pack'));
}

/** What a process that was killed left behind. */
async function removeLeftovers(gitDir: string): Promise<void> {
  const names = (await readdir(gitDir)).filter((name) => name.startsWith('rules-') || name === 'written.tmp');
  for (const name of names) await rm(join(gitDir, name), { recursive: true, force: true });
}

interface Size {
  /** On the disk, where small files take more than they hold. */
  bytes: number;
  files: number;
}

async function measure(folder: string): Promise<Size> {
  const size: Size = { bytes: 0, files: 0 };
  const entries = await readdir(folder, { withFileTypes: true, recursive: true });
  const files = entries.filter((entry) => entry.isFile());
  for (let at = 0; at < files.length; at += STATS_AT_ONCE) {
    const some = files.slice(at, at + STATS_AT_ONCE).map(({ parentPath, name }) => stat(join(parentPath, name)));
    for (const found of await Promise.allSettled(some))
      if (found.status === 'fulfilled') size.bytes += Math.max(found.value.size, (found.value.blocks ?? 0) * 512);
  }
  size.files = files.length;
  return size;
}
