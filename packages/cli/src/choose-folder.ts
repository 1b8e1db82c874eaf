import { existsSync, realpathSync, statSync } from 'node:fs';
import { dirname, isAbsolute, join, relative } from 'node:path';
import { isMoreThanCode, realHome } from '@dragoman/context/setup';
import { DragomanError } from '@dragoman/protocol';
import { userPath } from './load-setup.ts';

/**
 * The folder a person named, or the one they are in; never their whole home or disk by accident. What a model names is
 * not deliberate.
 */
export function namedFolder(given: string | undefined, isDeliberate = given !== undefined): string {
  const path = userPath(given ?? '.', process.env, currentFolder());
  if (!(statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false))
    throw new DragomanError('bad-request', `${path} is not a folder.`);
  const folder = realpathSync(path);
  if (!isDeliberate && isMoreThanCode(folder))
    throw new DragomanError(
      'bad-request',
      `This is ${folder}, which is not a single project. Change to the project folder, or name it.`,
    );
  return folder;
}

function currentFolder(): string {
  try {
    return process.cwd();
  } catch (cause) {
    throw new DragomanError('bad-request', 'The current folder no longer exists. Change to another one.', {
      cause,
    });
  }
}

/** The workspace a folder belongs to: one that is known and has it inside, else its git repository, else itself. */
export function workspaceRoot(folder: string, known: readonly { root: string }[]): string {
  const around = known
    .map(({ root }) => root)
    .filter((root) => isInside(folder, root))
    .sort((one, other) => other.length - one.length);
  return around[0] ?? gitRoot(folder) ?? folder;
}

export function isInside(path: string, folder: string): boolean {
  const way = relative(folder, path);
  return way !== '..' && !way.startsWith('../') && !way.startsWith('..\\') && !isAbsolute(way);
}

/** A repository of dotfiles in the home folder makes no code base of all that is in it. */
function gitRoot(folder: string): string | undefined {
  const home = realHome();
  for (let at = folder; at !== dirname(at) && at !== home; at = dirname(at))
    if (existsSync(join(at, '.git'))) return at;
  return undefined;
}
