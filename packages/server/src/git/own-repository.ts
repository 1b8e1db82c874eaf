import { lstatSync, readdirSync, readFileSync, realpathSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';

/** The repository that git would find from a folder. */
export interface OwnRepository {
  /** The folder with `.git` in it, without links. */
  root: string;
  /** Why it is not a repository of that folder alone, as a clause. */
  objection?: string;
}

const ELSEWHERE = 'the repository is kept elsewhere';
const BORROWED = 'the repository takes its objects from elsewhere';

/**
 * The repository around a folder, and whether it is its own; nothing where there is none.
 *
 * The `.git` of a project that somebody else wrote may lead to another repository of the same person: a link or a file
 * that names its git directory, or objects that are taken from there. What git then shows as changes or as history are
 * files that nobody was asked about. The work trees and submodules of a repository are its own.
 */
export function ownRepository(folder: string): OwnRepository | undefined {
  let root = realpathSync.native(folder);
  while (lstatSync(join(root, '.git'), { throwIfNoEntry: false }) === undefined) {
    if (root === dirname(root)) return undefined;
    root = dirname(root);
  }
  try {
    const gitFolder = findGitFolder(root);
    const common = gitFolder === undefined ? undefined : findCommon(gitFolder);
    if (common === undefined) return { root, objection: ELSEWHERE };
    return hasOwnObjects(join(common, 'objects')) ? { root } : { root, objection: BORROWED };
  } catch {
    return { root, objection: 'what the repository would run could not be found out' };
  }
}

/** The git directory, if it lies in the folder or in the project around it, or belongs to the folder as a work tree. */
function findGitFolder(root: string): string | undefined {
  const place = join(root, '.git');
  const real = lstatSync(place).isFile()
    ? realpathSync.native(resolve(root, readLine(place).replace(/^gitdir: */, '')))
    : realpathSync.native(place);
  if (isBelow(real, root)) return real;
  const back = join(real, 'gitdir');
  const isOfWorkTree = exists(back) && realOrSame(resolve(real, readLine(back))) === place;
  return isOfWorkTree || isInProjectAround(real, root) ? real : undefined;
}

/** As those of submodules are. The home folder may be a repository, too, and everything is in that. */
function isInProjectAround(gitFolder: string, root: string): boolean {
  for (let at = dirname(root); at !== dirname(at) && at !== homedir(); at = dirname(at))
    if (exists(join(at, '.git'))) return isBelow(gitFolder, at);
  return false;
}

/** A work tree has its objects and settings in common with the repository that its git directory lies in. */
function findCommon(gitFolder: string): string | undefined {
  const file = join(gitFolder, 'commondir');
  if (!exists(file)) return gitFolder;
  const common = realpathSync.native(resolve(gitFolder, readLine(file)));
  return isBelow(gitFolder, common) ? common : undefined;
}

function hasOwnObjects(objects: string): boolean {
  if (!exists(objects)) return true; // Git will say that this is no repository.
  if (lstatSync(objects).isSymbolicLink() || exists(join(objects, 'info', 'alternates'))) return false;
  const folders = [objects, join(objects, 'pack'), join(objects, 'info')].filter(exists);
  return folders.every((folder) => !readdirSync(folder, { withFileTypes: true }).some((each) => each.isSymbolicLink()));
}

function exists(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
}

function realOrSame(path: string): string {
  return exists(path) ? join(realpathSync.native(dirname(path)), '.git') : path;
}

function readLine(file: string): string {
  return readFileSync(file, 'utf8').trimEnd();
}

function isBelow(path: string, folder: string): boolean {
  const inside = relative(folder, path);
  return inside !== '..' && !inside.startsWith(`..${sep}`) && !isAbsolute(inside);
}
