import { gitEnvironment, type GitSetting, LIST_SETTINGS, ownSettings, withoutOwnPrograms } from '@dragoman/server/base';
import { runGit } from '../git/run-git.ts';

/** Git in one folder of a repository. */
export interface QuietGit {
  /** Runs git and gives back what it printed, without the last line's end. */
  (args: readonly string[]): Promise<string>;
  /** What keeps programs of the repository from running, as it is seen from that folder. */
  settings: readonly GitSetting[];
}

const GIT_LIMIT_MS = 60_000;

/**
 * Git in a folder, with which nothing runs that the repository configures, neither hooks nor a monitor nor filters: a file
 * that a filter of the repository would convert is checked out as it is stored. The user's own filters, such as those of
 * Git LFS, are applied.
 *
 * What a repository configures may hang on its folder and its branch. `others` are the settings of another folder that git
 * goes to on its own.
 */
export async function quietGit(cwd: string, others: readonly GitSetting[] = []): Promise<QuietGit> {
  const run = async (args: readonly string[], settings: readonly GitSetting[]) => {
    const env = gitEnvironment(process.env, { folder: cwd, settings });
    return (await runGit({ args, cwd, env, limitMs: GIT_LIMIT_MS })).stdout.toString('utf8');
  };
  const own = withoutOwnPrograms(ownSettings(await run(LIST_SETTINGS, [])).map(({ key }) => key));
  const settings = [...own.settings, ...others];
  return Object.assign(async (args: readonly string[]) => (await run(args, settings)).replace(/\n$/, ''), { settings });
}
