import { type Dirent, lstatSync, readdirSync } from 'node:fs';
import { type FolderEntry } from '../filter/path-filter.ts';

export interface ListedEntry extends FolderEntry {
  /** False for a name that is not UTF-8: what we would call it does not lead back to it. */
  isNameText: boolean;
}

/** A folder's entries, in the order of the system. `.` and `..` are not among them. Throws what the system says. */
export function listFolder(folder: string): ListedEntry[] {
  return readdirSync(folder, { withFileTypes: true }).map((entry) => ({
    name: entry.name,
    type: entry.isFile() ? 'File' : entry.isDirectory() ? 'Directory' : 'Other',
    isNameText: !entry.name.includes('\uFFFD') || leadsBack(folder, entry),
  }));
}

// The replacement character may also be a part of the real name.
function leadsBack(folder: string, entry: Dirent): boolean {
  try {
    return lstatSync(`${folder}/${entry.name}`, { throwIfNoEntry: false }) !== undefined;
  } catch {
    return false;
  }
}
