import { join } from 'node:path';
import { gitFolders } from '@dragoman/server/files';

/** The file of rules that a repository keeps to itself; a linked worktree and a submodule keep it elsewhere. */
export function excludeFileOf(repository: string): string {
  return join(commonFolderOf(repository), 'info', 'exclude');
}

function commonFolderOf(repository: string): string {
  try {
    return gitFolders(repository).commonFolder;
  } catch {
    return join(repository, '.git'); // Where there is nothing to read, either.
  }
}
