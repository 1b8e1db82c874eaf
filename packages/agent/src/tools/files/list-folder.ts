import { type Dirent, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { inFolder } from '@dragoman/server/files';

/** What stands directly in a folder, by name; folders, also behind a link, end with a slash. */
export function listFolder(real: string): string[] {
  return inFolder(real, (folder) =>
    readdirSync(folder, { withFileTypes: true })
      .toSorted((a, b) => (a.name < b.name ? -1 : 1))
      .map((entry) => (isFolder(folder, entry) ? `${entry.name}/` : entry.name)),
  );
}

function isFolder(folder: string, entry: Dirent): boolean {
  if (!entry.isSymbolicLink()) return entry.isDirectory();
  try {
    return statSync(join(folder, entry.name)).isDirectory();
  } catch {
    return false;
  }
}
