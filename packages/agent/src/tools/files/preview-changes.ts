import { changesDigest } from './approved-changes.ts';
import type { Tool } from '../tool.ts';
import { type FileChange, filePatches } from './file-diff.ts';

/** Changes that are planned and not made; none where they cannot be made. */
export async function previewChanges(plan: () => readonly FileChange[]): Promise<Tool.Preview> {
  let changes: readonly FileChange[] = [];
  try {
    changes = plan();
  } catch {
    // The call itself will say what is wrong.
  }
  const { formatPatch, FILE_HEADERS_ONLY } = await import('diff');
  const patches = await filePatches(changes);
  const diff = patches.map((patch) => formatPatch(patch, FILE_HEADERS_ONLY)).join('');
  return { diff, digest: changesDigest(changes) };
}
