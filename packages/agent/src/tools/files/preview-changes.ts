import { type FileChange, filePatches } from './file-diff.ts';

/** Beyond this the arguments of the call say the same in fewer words. */
const MAX_CHARS = 200_000;

/**
 * Changes that are planned and not made, as a unified diff. Undefined where they cannot be made, change nothing, or are too
 * long: a person says yes to what they see, so a diff is shown whole or not at all.
 */
export async function previewChanges(plan: () => readonly FileChange[]): Promise<string | undefined> {
  let changes: readonly FileChange[];
  try {
    changes = plan();
  } catch {
    return undefined; // The call itself will say what is wrong.
  }
  if (changes.length === 0) return undefined;
  const { formatPatch, FILE_HEADERS_ONLY } = await import('diff');
  const patches = await filePatches(changes);
  const diff = patches.map((patch) => formatPatch(patch, FILE_HEADERS_ONLY)).join('');
  return diff.length > MAX_CHARS ? undefined : diff;
}
