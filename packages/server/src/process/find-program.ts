import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, isAbsolute, join } from 'node:path';

const ENDINGS = process.platform === 'win32' ? ['.exe', ''] : [''];

/**
 * Where a program is: at its whole path, or in the first folder of `searchPath` that holds it; undefined where it is not.
 *
 * Looks along the path itself: a process only to find out would cost more. Only whole paths count. A search path may hold
 * `.`, which would be a folder that somebody else wrote.
 */
export function findProgram(
  program: string,
  searchPath: string = process.env['PATH'] ?? '',
  endings: readonly string[] = ENDINGS,
): string | undefined {
  return places(program, searchPath, endings).find(isProgram);
}

/** Is there a file at this path that may be run? */
export function isProgram(path: string): boolean {
  try {
    if (!statSync(path).isFile()) return false;
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

/** The paths a program may have, whether or not something is there. */
export function places(program: string, searchPath: string, endings: readonly string[] = ENDINGS): string[] {
  const folders = isAbsolute(program) ? [''] : searchPath.split(delimiter).filter((folder) => isAbsolute(folder));
  return folders.flatMap((folder) =>
    endings.map((ending) => (folder === '' ? program : join(folder, program)) + ending),
  );
}
