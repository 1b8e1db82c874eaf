import { realpathSync } from 'node:fs';
import { dirname, isAbsolute, join, resolve } from 'node:path';

/**
 * Where a command of a shell text may stand when it runs.
 *
 * `cd` can fail, and can hang on what went before it, so there may be more than one answer; a path that is written relative
 * then means one of several files, and all of them are told. Undefined: it can be anywhere.
 */
export type WorkingFolders = readonly string[] | undefined;

/** More than these are as good as anywhere. */
const MOST = 8;
/** No program opens a longer one. */
const PATH_MAX = 4096;

/** Either of the two. */
export function eitherFolder(one: WorkingFolders, other: WorkingFolders): WorkingFolders {
  if (one === undefined || other === undefined) return undefined;
  const all = [...new Set([...one, ...other])];
  return all.length > MOST ? undefined : all;
}

/** Every file that a path may mean. Undefined when it can be any. */
export function resolveIn(folders: WorkingFolders, path: string): WorkingFolders {
  if (isAbsolute(path)) return bothWays('/', path);
  return folders?.map((folder): WorkingFolders => bothWays(folder, path)).reduce(eitherFolder);
}

/** Behind a link `..` is the folder above where the link leads, to programs always, to `cd` only where nothing else is there. */
function bothWays(folder: string, path: string): string[] {
  if (!/(^|\/)\.\.(\/|$)/.test(path) || path.length > PATH_MAX) return [resolve(folder, path)];
  const above = (at: string) => {
    try {
      return dirname(realpathSync(at));
    } catch {
      return dirname(at);
    }
  };
  const physical = path.split('/').reduce((at, part) => (part === '..' ? above(at) : join(at, part)), folder);
  return [...new Set([resolve(folder, path), physical])];
}
