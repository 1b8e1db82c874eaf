import { execFile } from 'node:child_process';
import { realpath } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { gitEnvironment, type GitSetting } from './git-environment.ts';
import { LIST_SETTINGS, withoutOwnPrograms } from './own-programs.ts';
import { ownRepository } from './own-repository.ts';

/** What stands in the way of a git that only looks, and what takes it out of the way. */
export interface ExaminedRepository {
  /** For `gitGuard`; with them git runs nothing of the repository, unless there is an `objection`. */
  settings: GitSetting[];
  /** Why git cannot look at this repository without a risk, as a clause: `the repository sets diff.external`. */
  objection?: string;
}

const run = promisify(execFile);
const LIMIT_MS = 5_000;
const MAX_BYTES = 4 * 1024 * 1024;
const NO_REPOSITORY = /not a git repository|cannot use bare repository/i;

/** Looks at the repository that git would find from a folder, as git would find it; where there is none, all is well. */
export async function examineRepository(
  folder: string,
  environment: Readonly<Record<string, string | undefined>>,
): Promise<ExaminedRepository> {
  const env = gitEnvironment(environment, { folder });
  const git = async (args: readonly string[]) => {
    const limits = { timeout: LIMIT_MS, maxBuffer: MAX_BYTES, killSignal: 'SIGKILL' } as const;
    return (await run('git', args, { cwd: folder, env, ...limits })).stdout;
  };
  try {
    const own = ownRepository(folder);
    if (own?.objection !== undefined) return { settings: [], objection: own.objection };
    const top = (await git(['rev-parse', '--show-toplevel'])).replace(/\n$/, '');
    if ((await realpath(top)) !== own?.root)
      return { settings: [], objection: 'the repository keeps its files elsewhere' };
    const { settings, remaining } = withoutOwnPrograms((await git(LIST_SETTINGS)) + (await listModules(git, top)));
    return remaining.length === 0
      ? { settings }
      : { settings, objection: `the repository sets ${remaining.slice(0, 3).join(', ')}` };
  } catch (error) {
    const { code, stderr = '' } = error as { code?: unknown; stderr?: string };
    if (code === 'ENOENT' || NO_REPOSITORY.test(stderr)) return { settings: [] };
    return { settings: [], objection: 'what the repository would run could not be found out' };
  }
}

/** `.gitmodules` may ask to look into submodules, too. Where the file is missing, git takes what is staged of it. */
async function listModules(git: (args: readonly string[]) => Promise<string>, top: string): Promise<string> {
  const places = [
    ['--file', join(top, '.gitmodules')],
    ['--blob', ':.gitmodules'],
    ['--blob', 'HEAD:.gitmodules'],
  ];
  const listings = await Promise.all(
    places.map((place) => git(['config', ...place, '--list', '-z', '--name-only']).catch(() => '')),
  );
  return listings
    .join('')
    .split('\0')
    .slice(0, -1)
    .map((key) => `local\0${key}\0`)
    .join('');
}
