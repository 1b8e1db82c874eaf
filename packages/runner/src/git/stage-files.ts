import { normalPath } from '../files/inside-path.ts';
import type { Repository } from './open-repository.ts';
import { changedEntries, readStatus } from './read-status.ts';

/** Paths are handed over apart from the arguments: there may be many, and one may look like an option. */
export const PATHS_FROM_INPUT = ['--pathspec-from-file=-', '--pathspec-file-nul'];

/** Puts changes of files into the next commit, or takes them out of it. What is so already stays so. */
export async function stageFiles(repository: Repository, given: readonly string[], isStaged: boolean): Promise<void> {
  const entries = changedEntries(await readStatus(repository), given.map(normalPath));
  const which = isStaged ? 'unstaged' : 'staged';
  const paths = entries
    .filter((entry) => entry[which] !== undefined)
    // A file that was renamed is gone under its old name too.
    .flatMap(({ path, oldPath, [which]: change }) =>
      change === 'renamed' && oldPath !== undefined ? [path, oldPath] : [path],
    );
  if (paths.length === 0) return;
  const args = isStaged ? ['add', '--all'] : ['reset', '--quiet'];
  await repository.write([...args, ...PATHS_FROM_INPUT], { input: paths.join('\0') });
}
