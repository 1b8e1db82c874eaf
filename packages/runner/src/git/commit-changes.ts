import { DragomanError } from '@dragoman/protocol';
import { printable } from '../files/inside-path.ts';
import type { Repository } from './open-repository.ts';
import { GitFailedError } from './run-git.ts';
import { readStatus } from './read-status.ts';

/** Checks and tests that run before a commit take their time; the caller waits a minute. */
const COMMIT_MS = 55_000;

/**
 * Commits what is staged in the folder, in the name of the person who asks. Hooks of the repository run, as they would in
 * the person's own terminal; what one of them refuses is the error.
 */
export async function commitChanges(repository: Repository, message: string, author: string): Promise<string> {
  await checkIndex(repository);
  try {
    await repository.commit(['commit', '--quiet', '--no-status', '--cleanup=whitespace', '--file=-'], {
      input: message,
      limitMs: COMMIT_MS,
      env: await identity(repository, author),
    });
  } catch (error) {
    if (!(error instanceof GitFailedError) || error.code !== 'bad-request') throw error;
    throw new DragomanError('conflict', `nothing was committed; git says: ${error.message}`, { cause: error });
  }
  return lineOf(repository, ['rev-parse', '--verify', 'HEAD']);
}

/** Refuses what would not be what the person sees: nothing staged, conflicts, or files beyond the folder. */
async function checkIndex(repository: Repository): Promise<void> {
  const { read, prefix } = repository;
  const { entries } = await readStatus(repository);
  const conflict = entries.find(({ unstaged }) => unstaged === 'conflicted');
  if (conflict !== undefined)
    throw new DragomanError('conflict', `${printable(conflict.path)} has a conflict; resolve it and stage it`);
  if (!entries.some(({ staged }) => staged !== undefined))
    throw new DragomanError('conflict', 'nothing is staged; stage a file first');
  if (prefix === '') return;
  const { stdout } = await read(['diff', '--cached', '--name-only', '-z', '--no-ext-diff', '--no-renames']);
  const outside = stdout
    .toString('utf8')
    .split('\0')
    .slice(0, -1)
    .filter((path) => !path.startsWith(prefix));
  if (outside.length > 0)
    throw new DragomanError(
      'conflict',
      `${outside.length === 1 ? 'a file is' : `${outside.length} files are`} staged outside of the folder of the session, such as ${printable(outside[0]!)}; commit on the machine itself, or take them out of the next commit there`,
    );
}

/** The person is the author. Who commits is whom git is set up for, and the same person where it is not. */
async function identity(repository: Repository, author: string): Promise<Record<string, string>> {
  const [name, email] = await Promise.all([settingOf(repository, 'user.name'), settingOf(repository, 'user.email')]);
  // Git takes these signs away, and refuses a name that is nothing but them.
  const plain = author.replaceAll(/[\p{Cc}<>]/gu, ' ').trim();
  const shown = /[\p{L}\p{N}]/u.test(plain) ? plain : 'dragoman';
  const address =
    email ?? `${shown.replaceAll(/[^\w.-]+/g, '-').replaceAll(/^[-.]+|[-.]+$/g, '') || 'someone'}@dragoman.local`;
  return {
    GIT_AUTHOR_NAME: shown,
    GIT_AUTHOR_EMAIL: address,
    GIT_COMMITTER_NAME: name ?? shown,
    GIT_COMMITTER_EMAIL: address,
  };
}

async function settingOf(repository: Repository, key: string): Promise<string | undefined> {
  const value = await lineOf(repository, ['config', '--get', key], [0, 1]);
  return value === '' ? undefined : value;
}

async function lineOf(repository: Repository, args: readonly string[], accept = [0]): Promise<string> {
  return (await repository.read(args, { accept })).stdout.toString('utf8').trim();
}
