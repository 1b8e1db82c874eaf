import { lstatSync, opendirSync, realpathSync } from 'node:fs';
import { homedir } from 'node:os';
import { basename, dirname, isAbsolute, join, relative, sep } from 'node:path';
import { from, type GitFolders, gitFolders, readPath, repositoryRoot } from './git-folders.ts';

/** The repository that git would find from a folder. */
export type OwnRepository = {
  /** The folder with `.git` in it, without links. */
  root: string;
} & (
  | (GitFolders & { objection?: undefined })
  /** Why it is not a repository of that folder alone, as a clause. */
  | { objection: string }
);

const ELSEWHERE = 'the repository is kept elsewhere';
const BORROWED = 'the repository takes its objects from elsewhere';
/** What git writes, and we when a session gets a branch of its own. Behind a link it would be written elsewhere. */
const WRITTEN = [
  'config',
  'config.worktree',
  'index',
  'packed-refs',
  'modules',
  'worktrees',
  'refs',
  'refs/heads',
  'refs/heads/dragoman',
  'logs',
  'logs/refs',
  'logs/refs/heads',
  'logs/refs/heads/dragoman',
];
/** A folder of objects with more entries is not one that git made. */
const MOST_ENTRIES = 20_000;

/**
 * The repository around a folder, and whether it is its own; nothing where there is none. Throws where the folder is not
 * there.
 *
 * The `.git` of a project that somebody else wrote may lead to another repository of the same person: a link or a file
 * that names its git directory, or objects that are taken from there. What git then shows as changes or as history are
 * files that nobody was asked about. The work trees and submodules of a repository are its own.
 */
export function ownRepository(folder: string): OwnRepository | undefined {
  const root = repositoryRoot(realpathSync.native(folder));
  if (root === undefined) return undefined;
  try {
    const { gitFolder, commonFolder } = gitFolders(root);
    if (!isOf(root, gitFolder) || !isBelow(gitFolder, commonFolder)) return { root, objection: ELSEWHERE };
    const isLinked = [gitFolder, commonFolder].some((place) => WRITTEN.some((name) => isLink(join(place, name))));
    if (isLinked) return { root, objection: ELSEWHERE };
    if (!hasOwnObjects(join(commonFolder, 'objects'))) return { root, objection: BORROWED };
    return { root, gitFolder, commonFolder };
  } catch {
    return { root, objection: 'what the repository would run could not be found out' };
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

function hasOwnObjects(objects: string): boolean {
  if (!exists(objects)) return true; // Git will say that this is no repository.
  if (isLink(objects) || exists(join(objects, 'info', 'alternates'))) return false;
  return [objects, join(objects, 'pack'), join(objects, 'info')].every(
    (folder) => !exists(folder) || hasNoLink(folder),
  );
}

function hasNoLink(path: string): boolean {
  const folder = opendirSync(path);
  try {
    let count = 0;
    for (let entry = folder.readSync(); entry !== null; entry = folder.readSync())
      if (entry.isSymbolicLink() || ++count > MOST_ENTRIES) return false;
    return true;
  } finally {
    folder.closeSync();
  }
}

function exists(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
}

function isLink(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === true;
}

function isBelow(path: string, folder: string): boolean {
  const inside = relative(folder, path);
  return inside !== '..' && !inside.startsWith(`..${sep}`) && !isAbsolute(inside);
}
