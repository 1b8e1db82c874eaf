import { lstatSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { readProjectFile } from '@dragoman/server/files';

/** They hold a path. */
const MAX_BYTES = 64 * 1024;

/** The folder a repository's files stand in, at `folder` or above it. */
export function findRepository(folder: string): string | undefined {
  for (let at = folder; ; at = dirname(at)) {
    if (lstatSync(join(at, '.git'), { throwIfNoEntry: false })) return at;
    if (dirname(at) === at) return undefined;
  }
}

/** The file of rules that a repository keeps to itself; a linked worktree and a submodule keep it elsewhere. */
export function excludeFileOf(repository: string): string {
  const git = join(repository, '.git');
  const gitFolder = lstatSync(git, { throwIfNoEntry: false })?.isFile()
    ? resolve(repository, /^gitdir: (.*)$/m.exec(readText(git))?.[1] ?? '.git')
    : git;
  return join(resolve(gitFolder, readText(join(gitFolder, 'commondir')).trim()), 'info', 'exclude');
}

function readText(path: string): string {
  try {
    const file = readProjectFile(path, { project: dirname(path), maxBytes: MAX_BYTES });
    return file?.bytes.toString('utf8') ?? '';
  } catch {
    return '';
  }
}
