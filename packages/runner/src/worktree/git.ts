import { gitEnvironment } from '../git/git-environment.ts';
import { runGit } from '../git/run-git.ts';

const GIT_LIMIT_MS = 60_000;

/** Runs git in a folder, as its user set it up, and gives back what it printed, without the last line's end. */
export async function git(cwd: string, args: readonly string[]): Promise<string> {
  const { stdout } = await runGit({ args, cwd, env: gitEnvironment(process.env), limitMs: GIT_LIMIT_MS });
  return stdout.toString('utf8').replace(/\n$/, '');
}
