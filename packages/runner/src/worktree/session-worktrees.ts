import { existsSync } from 'node:fs';
import { lstat, mkdir, readFile, realpath, rmdir, writeFile } from 'node:fs/promises';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { DragomanError, type SessionSpec } from '@dragoman/protocol';
import { ownRepository } from '@dragoman/server/base';
import { makeFolder, MovedFileError } from '@dragoman/server/files';
import { type QuietGit, quietGit } from './quiet-git.ts';

/** Where a session works: a worktree, or a folder within one. */
export interface Worktree {
  cwd: string;
  branch: string;
}

/** What became of a worktree when its session went. */
export type WorktreeEnd = 'removed' | 'kept' | 'none';

/**
 * A git worktree of its own for each session that wants one, so that several agents work on one repository without
 * stepping on each other. It is made from what is committed at that moment, on a branch `dragoman/…`, and is found again
 * by the id of the session.
 */
export class SessionWorktrees {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** The worktree of a session, made if it is not there yet. */
  async open(spec: SessionSpec): Promise<Worktree> {
    const sessionId = checkedId(spec.sessionId);
    const { root, prefix, git } = await this.#repository(spec.folder);
    const branch = branchOf(sessionId);
    const path = join(this.#folder, sessionId, basename(root));
    if (!(await isThere(path))) {
      await mkdir(join(this.#folder, sessionId), { recursive: true, mode: 0o700 });
      const isKnown = await succeeds(git(['rev-parse', '--verify', '--quiet', `refs/heads/${branch}`]));
      // A worktree whose folder was deleted by hand is still on git's list. Others that are there are not ours to take off.
      await succeeds(git(['worktree', 'remove', '--force', path]));
      const what = isKnown ? [path, branch] : ['--no-track', '-b', branch, path, 'HEAD'];
      await git(['worktree', 'add', '--no-checkout', ...what]);
      // Only in the worktree does git say what the repository sets for that folder and that branch.
      const inside = await quietGit(path);
      await inside(['reset', '--quiet', '--hard', '--no-recurse-submodules']);
      await writeFile(await markOf(inside), sessionId);
    }
    await makeInside(path, prefix);
    return { cwd: resolve(path, prefix), branch };
  }

  /**
   * Removes the worktree of a session that is gone, if nothing in it would be lost. Commits stay on the branch, which goes
   * only where another branch has them all. What is at its place and was not made for it is refused.
   */
  async remove(spec: SessionSpec): Promise<{ end: WorktreeEnd; path: string }> {
    const sessionId = checkedId(spec.sessionId);
    const { root, git } = await this.#repository(spec.folder);
    const path = join(this.#folder, sessionId, basename(root));
    if (!(await isThere(path))) return { end: 'none', path };
    const inside = await quietGit(path);
    if (!(await isMadeFor(sessionId, path, { git, inside }))) throw notOurs(path);
    if ((await inside(['status', '--porcelain', '--ignored=no', '--ignore-submodules=dirty'])) !== '')
      return { end: 'kept', path };
    // It has a look at the files itself before it removes them.
    await (
      await quietGit(root, inside.settings)
    )(['worktree', 'remove', path]);
    await succeeds(git(['branch', '-d', branchOf(sessionId)]));
    await rmdir(dirname(path)).catch(() => {}); // What else is in it is not ours.
    return { end: 'removed', path };
  }

  async #repository(folder: string): Promise<{ root: string; prefix: string; git: QuietGit }> {
    if (!existsSync(folder)) throw new DragomanError('not-found', `the folder ${folder} does not exist`);
    const own = ownRepository(folder);
    if (own?.objection !== undefined)
      throw new DragomanError('bad-request', `no worktree can be created for ${folder}, because ${own.objection}`);
    const git = await quietGit(own?.root ?? folder);
    let root: string;
    try {
      root = await git(['rev-parse', '--show-toplevel']);
    } catch (error) {
      if (error instanceof DragomanError && error.code !== 'bad-request') throw error;
      throw new DragomanError(
        'bad-request',
        `${folder} is not a Git repository; run "git init" there, or start the session without a worktree`,
        { cause: error },
      );
    }
    if (root !== own?.root)
      throw new DragomanError(
        'bad-request',
        `no worktree can be created for ${folder}, because the repository has its files elsewhere`,
      );
    if (!(await succeeds(git(['rev-parse', '--verify', '--quiet', 'HEAD']))))
      throw new DragomanError(
        'bad-request',
        `the repository ${root} has no commits yet, and a worktree needs one; commit something first`,
      );
    return { root, prefix: relative(root, await realpath(folder)), git };
  }
}

/** Makes the folder of a session in its worktree, where nothing may be committed of it. */
async function makeInside(path: string, prefix: string): Promise<void> {
  const place = join(await realpath(path), prefix);
  try {
    makeFolder(place);
    if ((await realpath(place)) !== place) throw new MovedFileError(place);
  } catch (cause) {
    const text = `${prefix} is no folder in the last commit but a link or a file, so it has no worktree`;
    throw new DragomanError('bad-request', text, { cause });
  }
}

/** An id becomes the name of a folder. */
function checkedId(sessionId: string): string {
  if (/^\w+$/.test(sessionId)) return sessionId;
  throw new DragomanError('bad-request', `${JSON.stringify(sessionId)} is no id of a session`);
}

/** Whether the place of a worktree is taken. Links are not followed: they lead to what is somebody else's. */
async function isThere(path: string): Promise<boolean> {
  for (const place of [dirname(path), path]) {
    const found = await lstat(place).catch(() => undefined);
    if (found === undefined) return false;
    if (!found.isDirectory()) throw notOurs(path);
  }
  return true;
}

/** Git knows it as a worktree of this repository, and it has our mark or, from before there were any, our branch. */
async function isMadeFor(
  sessionId: string,
  path: string,
  { git, inside }: { git: QuietGit; inside: QuietGit },
): Promise<boolean> {
  const real = await realpath(path);
  const listed = (await git(['worktree', 'list', '--porcelain'])).split('\n\n').map((each) => each.split('\n'));
  const entry = listed.find((lines) => lines.includes(`worktree ${real}`));
  if (entry === undefined) return false;
  const mark = await readFile(await markOf(inside), 'utf8').catch(() => undefined);
  return mark === sessionId || entry.includes(`branch refs/heads/${branchOf(sessionId)}`);
}

/** In what git keeps about a worktree, so that it goes with it. */
async function markOf(inside: QuietGit): Promise<string> {
  return join(await inside(['rev-parse', '--absolute-git-dir']), 'dragoman-session');
}

function notOurs(path: string): DragomanError {
  return new DragomanError('conflict', `${path} is not a worktree that was made for this session; it is left as it is`);
}

/** Ids begin with the time, and end with what tells them apart. */
function branchOf(sessionId: string): string {
  return `dragoman/${sessionId.slice(-10).toLowerCase()}`;
}

async function succeeds(running: Promise<string>): Promise<boolean> {
  try {
    await running;
    return true;
  } catch (error) {
    if (error instanceof DragomanError && error.code === 'bad-request') return false;
    throw error;
  }
}
