import { realpathSync } from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, isAbsolute, resolve } from 'node:path';
import { isBelow, repositoryRoot } from '../git/git-folders.ts';

/**
 * The folders of a search path that do not belong to the project around a folder.
 *
 * What lies in a project was written by somebody else, and a search path leads there more often than one thinks: npm puts
 * `node_modules/.bin` in front, and an entry that is not a whole path means the folder that a program is started in.
 */
export function searchPathOutside(searchPath: string, folder: string): string {
  return searchPath
    .split(delimiter)
    .filter((entry) => isAbsolute(entry) && !isInProject(entry, folder))
    .join(delimiter);
}

/**
 * Whether a path lies in the folder or in the repository around it, by its name or by where its links lead. The home folder
 * and those above it are no project: the programs in them are the user's own.
 */
export function isInProject(path: string, folder: string): boolean {
  const around = repositoryRoot(resolve(folder));
  const root = around === undefined || isBelow(homedir(), around) ? resolve(folder) : around;
  if (isBelow(homedir(), root)) return false;
  return isBelow(resolve(path), root) || isBelow(realPath(path), realPath(root));
}

function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return resolve(path);
  }
}
