import { gitEnvironment, type GitSetting, LIST_SETTINGS, withoutOwnPrograms } from '@dragoman/server/base';
import { runGit } from '../git/run-git.ts';

const GIT_LIMIT_MS = 60_000;

/**
 * Runs git in a folder and gives back what it printed, without the last line's end.
 *
 * Nothing that the repository configures is run, neither hooks nor a monitor nor filters: a file that a filter of the
 * repository would convert is checked out as it is stored. The user's own filters, such as those of Git LFS, are applied.
 */
export async function git(cwd: string, args: readonly string[]): Promise<string> {
  const run = async (words: readonly string[], settings: readonly GitSetting[]) => {
    const env = gitEnvironment(process.env, { folder: cwd, settings });
    return (await runGit({ args: words, cwd, env, limitMs: GIT_LIMIT_MS })).stdout.toString('utf8');
  };
  const { settings } = withoutOwnPrograms(await run(LIST_SETTINGS, []));
  return (await run(args, settings)).replace(/\n$/, '');
}
