import { execFile } from 'node:child_process';
import { dirname } from 'node:path';
import { promisify } from 'node:util';
import { gitEnvironment, type GitSetting } from './git-environment.ts';

/** Where git looks, and what it inherits. */
export interface GitLook {
  folder: string;
  environment: Readonly<Record<string, string | undefined>>;
  settings?: readonly GitSetting[];
  /** It looks for no repository above this folder. */
  root?: string | undefined;
  /** What it reads from its standard input. */
  input?: string;
}

const start = promisify(execFile);
const LIMITS = { timeout: 5_000, maxBuffer: 4 * 1024 * 1024, killSignal: 'SIGKILL' } as const;

/** What git prints that only has a quick look. Fails where git does, and where it takes too long or prints too much. */
export async function runGit(
  args: readonly string[],
  { folder, environment, settings = [], root, input }: GitLook,
): Promise<string> {
  const ceiling = root === undefined ? {} : { GIT_CEILING_DIRECTORIES: dirname(root) };
  const env = { ...gitEnvironment(environment, { folder, settings }), ...ceiling };
  const running = start('git', args, { cwd: folder, env, ...LIMITS });
  running.child.stdin?.on('error', () => {}); // It may end before it has read everything, or not start at all.
  running.child.stdin?.end(input);
  return (await running).stdout;
}
