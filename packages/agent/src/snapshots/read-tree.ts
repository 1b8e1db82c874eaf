import { checkHash } from './kept-states.ts';
import { fromStates } from './list-changes.ts';
import type { ShadowRepository } from './shadow-repository.ts';

/** A file as a state has it. */
export interface TreeEntry {
  kind: 'file' | 'program' | 'link';
  blob: string;
}

const KINDS: Readonly<Record<string, TreeEntry['kind']>> = { '100644': 'file', '100755': 'program', '120000': 'link' };

/** All files of a state by path. */
export async function readTree(
  shadow: ShadowRepository,
  hash: string,
  signal?: AbortSignal,
): Promise<ReadonlyMap<string, TreeEntry>> {
  const asked = shadow.git(['ls-tree', '-r', '-z', '--full-tree', checkHash(hash)], { signal });
  const { stdout } = await fromStates(asked, hash);
  const entries = new Map<string, TreeEntry>();
  for (const line of stdout.toString('utf8').split('\0')) {
    const [, mode, blob, path] = /^(\d{6}) blob ([0-9a-f]{40})\t([^]+)$/.exec(line) ?? [];
    const kind = KINDS[mode ?? ''];
    if (kind !== undefined) entries.set(path!, { kind, blob: blob! });
  }
  return entries;
}
