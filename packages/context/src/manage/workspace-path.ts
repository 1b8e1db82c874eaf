import { existsSync, realpathSync } from 'node:fs';
import { basename, dirname, isAbsolute, join, relative, resolve } from 'node:path';
import { DragomanError } from '@dragoman/protocol/error';

/** A path that somebody gave, in full or as seen from the root, relative to the root and with `/`; the root itself is ''. */
export function workspacePath(root: string, given: string): string {
  for (const path of [resolve(root, given), realParent(resolve(root, given))]) {
    const way = relative(root, path).replaceAll('\\', '/');
    if (way !== '..' && !way.startsWith('../') && !isAbsolute(way)) return way;
  }
  throw new DragomanError('bad-request', `path: ${JSON.stringify(given.slice(0, 200))} is not in ${root}.`);
}

/** The root is a real path, so what is compared with it has to be. The last name stays: a link is left out as one. */
function realParent(path: string): string {
  return existsSync(dirname(path)) ? join(realpathSync(dirname(path)), basename(path)) : path;
}
