import { lstatSync, realpathSync } from 'node:fs';
import { delimiter, join, relative } from 'node:path';
import { DragomanError } from '@dragoman/protocol';
import { isSecretFile } from '@dragoman/protocol/secrets';
import type { GitSetting } from './git-environment.ts';
import { from, isBelow } from './git-folders.ts';
import { LIST_SETTINGS, type OwnSetting, ownSettings } from './listed-settings.ts';
import { withoutOwnPrograms } from './own-programs.ts';
import { type OwnRepository, ownRepository } from './own-repository.ts';
import { runGit } from './run-git.ts';

/** What stands in the way of a git that only looks, and what takes it out of the way. */
export interface ExaminedRepository {
  /** The folder with `.git` in it, where git finds a repository and nothing was objected to before that. */
  root?: string;
  /** For `gitGuard`; with them git runs nothing of the repository, unless there is an `objection`. */
  settings: GitSetting[];
  /** Why git cannot look at this repository without a risk, as a clause: `the repository sets diff.external`. */
  objection?: string;
}

type Git = (args: readonly string[], input?: string) => Promise<string>;
type Own = Exclude<OwnRepository, { objection: string }>;

const NOT_FOUND_OUT = 'it is unclear what the repository would run';
const ELSEWHERE = 'the repository is stored elsewhere';
const SETTINGS_ELSEWHERE = 'the repository includes settings from elsewhere';

/** Looks at the repository that git would find from a folder, as git would find it; where there is none, all is well. */
export async function examineRepository(
  folder: string,
  environment: Readonly<Record<string, string | undefined>>,
): Promise<ExaminedRepository> {
  try {
    const own = ownRepository(folder);
    if (own?.objection !== undefined) return { settings: [], objection: own.objection };
    const git: Git = (args, input = '') => runGit(args, { folder, environment, root: own?.root, input });
    const listed = ownSettings(await git(LIST_SETTINGS));
    if (own === undefined) return listed.length === 0 ? { settings: [] } : { settings: [], objection: ELSEWHERE };
    if (listed.length === 0) await git(['rev-parse']); // Fails where git takes what is here for no repository.
    const objection = objectionTo(own, listed);
    if (objection !== undefined) return { settings: [], objection };
    const keys = [...listed.map(({ key }) => key), ...(await listModules(git, own.root))];
    const { settings, remaining } = withoutOwnPrograms(keys);
    return remaining.length === 0
      ? { root: own.root, settings }
      : { root: own.root, settings, objection: `the repository sets ${remaining.slice(0, 3).join(', ')}` };
  } catch (error) {
    return isHarmless(error)
      ? { settings: [] }
      : { settings: [], objection: error instanceof DragomanError ? error.message : NOT_FOUND_OUT };
  }
}

/** There is no git (the folder would have been missed before), or it works in no folder that looks like a git directory. */
function isHarmless(error: unknown): boolean {
  const { code, syscall = '', stderr = '' } = error as NodeJS.ErrnoException & { stderr?: string };
  return (code === 'ENOENT' && syscall.startsWith('spawn')) || stderr.startsWith('fatal: cannot use bare repository ');
}

/** Whether git found the same repository as we, and the same files for it. */
function objectionTo(own: Own, listed: readonly OwnSetting[]): string | undefined {
  if (own.root.includes(delimiter)) return NOT_FOUND_OUT; // Git cannot be kept from looking further up.
  const [first] = listed;
  const config = join(own.commonFolder, 'config');
  const isOwn =
    first === undefined || first.file === join('.git', 'config') || realOrNothing(first.file) === realOrNothing(config);
  if (!isOwn) return ELSEWHERE;
  const files = new Set(listed.map(({ file }) => file));
  if (![...files].every((file) => isOwnFile(own, realOrNothing(from(own.root, file))))) return SETTINGS_ELSEWHERE;
  const isElsewhere = ({ key, value }: OwnSetting) =>
    key === 'core.worktree' && realOrNothing(from(own.gitFolder, value)) !== own.root;
  return listed.some(isElsewhere) ? 'the repository has its files elsewhere' : undefined;
}

/** What an included file sets is shown as the repository's own; the address of a remote may hold a password. */
function isOwnFile({ root, commonFolder }: Own, file: string | undefined): boolean {
  if (file === undefined) return false;
  return isBelow(file, commonFolder) || (isBelow(file, root) && !isSecretFile(relative(root, file)));
}

/**
 * The names of what `.gitmodules` sets: it may ask to look into submodules, too. Git takes the file, where there is none
 * what is staged of it, and else what is committed.
 */
async function listModules(git: Git, root: string): Promise<string[]> {
  const list = async (place: readonly string[]) =>
    (await git(['config', ...place, '--list', '-z', '--name-only'])).split('\0').slice(0, -1);
  const file = join(root, '.gitmodules');
  if (lstatSync(file, { throwIfNoEntry: false }) !== undefined) return list(['--file', file]);
  const found = await git(['cat-file', '--batch-check=%(objectname)'], ':.gitmodules\nHEAD:.gitmodules\n');
  const [blob] = /^[0-9a-f]+$/m.exec(found) ?? [];
  return blob === undefined ? [] : list(['--blob', blob]);
}

function realOrNothing(path: string): string | undefined {
  try {
    return realpathSync.native(path);
  } catch {
    return undefined;
  }
}
