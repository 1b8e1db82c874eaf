import { spawn, spawnSync } from 'node:child_process';
import type { Repository } from '../repository-list.ts';

/** What was fetched; a repository that has it is complete. */
const FETCHED = 'refs/heads/vectors';
/** Pairs are made of some hundreds of commits; this many steps back hold them, and save most of a long history. */
const STEPS_BACK = 4000;
const TIME_LIMIT_MS = 30 * 60_000;

/** The commit that a fetched repository holds; undefined where it holds none, or another than the list names. */
export function fetchedCommit(gitDir: string, { commit }: Pick<Repository, 'commit'>): string | undefined {
  const { stdout, status } = spawnSync('git', [
    '--git-dir',
    gitDir,
    'rev-parse',
    '--verify',
    '--quiet',
    `${FETCHED}^{commit}`,
  ]);
  const held = stdout.toString().trim();
  return status !== 0 || (commit !== undefined && held !== commit) ? undefined : held;
}

/** Fetches one repository at its commit, bare. Throws with what git said. */
export async function fetchRepository({ source, commit }: Repository, gitDir: string): Promise<void> {
  await git(['init', '--quiet', '--bare', gitDir]);
  const wanted = `+${commit ?? 'HEAD'}:${FETCHED}`;
  await git(['--git-dir', gitDir, 'fetch', '--quiet', '--no-tags', `--depth=${STEPS_BACK}`, source, wanted]);
}

async function git(args: readonly string[]): Promise<void> {
  const child = spawn('git', args, {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { ...process.env, GIT_TERMINAL_PROMPT: '0' }, // A repository that is gone asks for a password otherwise.
    timeout: TIME_LIMIT_MS,
  });
  let said = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (said += text));
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  if (code === null) throw new Error(`git was stopped; the limit is ${TIME_LIMIT_MS / 60_000} minutes`);
  if (code !== 0) throw new Error(/^(?:fatal|error): .*$/m.exec(said)?.[0] ?? `git ended with ${code}: ${said.trim()}`);
}
