import { existsSync, realpathSync } from 'node:fs';
import { homedir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { from, type GitFolders, gitFolders, isBelow, readPath, repositoryRoot } from './git-folders.ts';
import { hasLinks } from './git-links.ts';

/** The repository that git would find from a folder. */
export type OwnRepository = {
  /** The folder with `.git` in it, without links. */
  root: string;
} & (
  | (GitFolders & { objection?: undefined })
  /** Why it is not a repository of that folder alone, as a clause. */
  | { objection: string }
);

const ELSEWHERE = 'the repository is stored elsewhere';
const BORROWED = 'the repository uses objects from elsewhere';
const LINKED = 'the repository has links in its .git';
const NOT_FOUND_OUT = 'it is unclear what the repository would run';

/**
 * The repository around a folder, and whether it is its own; nothing where there is none. Throws where the folder is not
 * there.
 *
 * The `.git` of a project that somebody else wrote may lead to another repository of the same person: a link or a file
 * that names its git directory, or objects that are taken from there. What git then shows as changes or as history are
 * files that nobody was asked about. The work trees and submodules of a repository are its own.
 *
 * A link inside of it does the same with a single file: git writes and deletes through it, and shows what it leads to as the
 * state of a rebase, say, or in a complaint about it.
 */
export function ownRepository(folder: string): OwnRepository | undefined {
  const root = repositoryRoot(realpathSync.native(folder));
  if (root === undefined) return undefined;
  try {
    const { gitFolder, commonFolder } = gitFolders(root);
    if (!isOf(root, gitFolder) || !isBelow(gitFolder, commonFolder)) return { root, objection: ELSEWHERE };
    if (existsSync(join(commonFolder, 'objects', 'info', 'alternates'))) return { root, objection: BORROWED };
    if (hasLinks(commonFolder)) return { root, objection: LINKED };
    return { root, gitFolder, commonFolder };
  } catch {
    return { root, objection: NOT_FOUND_OUT };
  }
}

/** Whether a git directory lies in the folder or in the project around it, or belongs to the folder as a work tree. */
function isOf(root: string, gitFolder: string): boolean {
  if (isBelow(gitFolder, root) || isInProjectAround(gitFolder, root)) return true;
  const back = readPath(join(gitFolder, 'gitdir'));
  if (back === undefined) return false;
  const named = from(gitFolder, back);
  return basename(named) === '.git' && realpathSync.native(dirname(named)) === root;
}

/** As those of submodules are. The home folder may be a repository, too, and everything is in that. */
function isInProjectAround(gitFolder: string, root: string): boolean {
  const around = repositoryRoot(dirname(root));
  return around !== undefined && !isBelow(homedir(), around) && isBelow(gitFolder, around);
}
