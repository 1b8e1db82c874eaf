import { isAbsolute, relative, sep } from 'node:path';

/** A path as blocks tell it: from the folder of the session, with `/` between its parts; in full where it is elsewhere. */
export function sessionPath(cwd: string, path: string): string {
  const below = relative(cwd, path);
  const isOutside = below === '..' || below.startsWith(`..${sep}`) || isAbsolute(below);
  if (below === '') return '.';
  return isOutside ? path : below.replaceAll(sep, '/');
}
