import { realpathSync } from 'node:fs';
import { isAbsolute, join, resolve } from 'node:path';
import { pathBelow } from '../tools/files/resolve-path.ts';

/**
 * Whether the person trusts a project: it is one of the folders they named, or below one. `*` is every project. A name that is no
 * whole path would mean whatever folder we are started in, and trusts nothing.
 */
export function isTrusted(root: string, trusted: readonly string[], home: string): boolean {
  return trusted.some((folder) => {
    if (folder === '*') return true;
    const named = folder === '~' || folder.startsWith('~/') ? join(home, folder.slice(1)) : folder;
    if (!isAbsolute(named)) return false;
    return pathBelow(resolve(named), root) !== undefined || pathBelow(realPath(named), root) !== undefined;
  });
}

function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}
