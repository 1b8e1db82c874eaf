import { realpathSync } from 'node:fs';
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';

/** Relative to the folder with `/` between its parts, or absolute when it is elsewhere. */
export function pathBelow(folder: string, path: string): string {
  const whole = resolve(folder, path);
  const below = relative(folder, whole);
  if (below === '') return '.';
  if (below === '..' || below.startsWith(`..${sep}`) || isAbsolute(below)) return whole;
  return sep === '/' ? below : below.replaceAll(sep, '/');
}

/** Where a path really leads, also when the file itself is still to be made. */
export function realPath(path: string): string {
  try {
    return realpathSync.native(path);
  } catch {
    const parent = dirname(path);
    return parent === path ? path : join(realPath(parent), basename(path));
  }
}
