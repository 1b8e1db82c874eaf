import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, isAbsolute, join } from 'node:path';

/** Where the git program is, or undefined. Looks along the path itself: a process only to find out would cost more. */
export function findGit(gitPath: string, searchPath: string = process.env['PATH'] ?? ''): string | undefined {
  const names = process.platform === 'win32' ? [`${gitPath}.exe`, gitPath] : [gitPath];
  const folders = isAbsolute(gitPath) ? [''] : searchPath.split(delimiter).filter((folder) => isAbsolute(folder));
  return folders.flatMap((folder) => names.map((name) => (folder === '' ? name : join(folder, name)))).find(isProgram);
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}
