import type { Restoration, Snapshots } from './open-snapshots.ts';
import type { SkippedFile } from './restore-files.ts';

/** As much of a `PatchPart` as is needed: the state before a step, and the files that it changed. */
export interface RevertiblePatch {
  hash: string;
  files: readonly string[];
}

/** What a revert did. Kept with the session until it is taken back, or made final by the next prompt. */
export interface RevertedFiles {
  /** The files as they were before the revert. */
  snapshot: string;
  restored: string[];
  skipped: SkippedFile[];
}

/**
 * Takes the changes of steps back: every file goes to its state in the oldest patch that names it.
 *
 * A revert further back on top of one that was not taken back yet restores the same files and more; keep the first
 * `snapshot` then, with the files of the second.
 *
 * @param patches of the steps after the message, oldest first
 */
export async function revertFiles(
  snapshots: Pick<Snapshots, 'restoreEach'>,
  patches: readonly RevertiblePatch[],
  signal?: AbortSignal,
): Promise<RevertedFiles> {
  const { undo, restored, skipped } = await snapshots.restoreEach(oldestStates(patches), signal);
  return { snapshot: undo, restored, skipped };
}

/** Takes a revert back: the files it restored are as they were before it. What it skipped was never touched. */
export function unrevertFiles(
  snapshots: Pick<Snapshots, 'restore'>,
  { snapshot, restored }: Pick<RevertedFiles, 'snapshot' | 'restored'>,
  signal?: AbortSignal,
): Promise<Restoration> {
  return snapshots.restore(snapshot, restored, signal);
}

function oldestStates(patches: readonly RevertiblePatch[]): { hash: string; paths: string[] }[] {
  const seen = new Set<string>();
  const states = new Map<string, string[]>();
  for (const { hash, files } of patches) {
    const paths = states.get(hash) ?? [];
    for (const path of files) {
      if (seen.has(path)) continue;
      seen.add(path);
      paths.push(path);
    }
    if (paths.length > 0) states.set(hash, paths);
  }
  return Array.from(states, ([hash, paths]) => ({ hash, paths }));
}
