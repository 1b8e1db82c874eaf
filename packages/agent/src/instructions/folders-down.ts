import { dirname, relative, resolve, sep } from 'node:path';

/** From the project's folder down to another; that one alone where it is not below. */
export function foldersDown(root: string, folder: string): string[] {
  const [top, bottom] = [resolve(root), resolve(folder)];
  if (!isBelow(top, bottom)) return [bottom];
  const folders = [bottom];
  while (folders[0] !== top) folders.unshift(dirname(folders[0]!));
  return folders;
}

/** Whether a path is a folder itself, or lies in it. */
export function isBelow(folder: string, path: string): boolean {
  const way = relative(folder, path);
  // On another drive there is no way at all, and the path stays as it is.
  return way !== '..' && !way.startsWith(`..${sep}`) && resolve(folder, way) === resolve(path) && way !== resolve(path);
}
