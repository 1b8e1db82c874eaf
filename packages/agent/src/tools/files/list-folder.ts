import { type Dirent, statSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';

/** What stands directly in a folder, by name; folders, also behind a link, end with a slash. */
export async function listFolder(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true });
  return entries
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
    .map((entry) => (isFolder(folder, entry) ? `${entry.name}/` : entry.name));
}

function isFolder(folder: string, entry: Dirent): boolean {
  if (!entry.isSymbolicLink()) return entry.isDirectory();
  try {
    return statSync(join(folder, entry.name)).isDirectory();
  } catch {
    return false;
  }
}
