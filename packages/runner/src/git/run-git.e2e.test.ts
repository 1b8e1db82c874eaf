import { existsSync, readFileSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { gitEnvironment } from '@dragoman/server/base';
import { tempFolder } from '@dragoman/testkit';
import { expect, test } from 'vitest';
import { testRepository } from './repository.fixture.ts';
import { runGit } from './run-git.ts';

const from = { PATH: process.env['PATH'], GIT_CONFIG_NOSYSTEM: '1' };
const env = gitEnvironment(from, { folder: '/nowhere' });
/** Git runs a line of the shell, as a hook would be run. */
const shell = (line: string) => ({
  args: ['line'],
  env: gitEnvironment(from, { folder: '/nowhere', settings: [['alias.line', `!${line}`]] }),
});

test('git ends when nobody waits for it any more, with everything it started, also what does not listen', async () => {
  const cwd = realpathSync(tempFolder());
  const pidFile = join(cwd, 'pid');
  const leaving = new AbortController();
  const line = `trap "" TERM; echo $$ > part; mv part pid; while :; do sleep 1; done`;
  const run = runGit({ ...shell(line), cwd, limitMs: 60_000, signal: leaving.signal });
  await expect.poll(() => existsSync(pidFile), { timeout: 60_000 }).toBe(true);
  leaving.abort();

  await expect(run).rejects.toMatchObject({ code: 'cancelled' });
  await expect.poll(() => isRunning(Number(readFileSync(pidFile, 'utf8'))), { timeout: 60_000 }).toBe(false);
  await expect(runGit({ args: ['version'], cwd, env, limitMs: 1_000, signal: leaving.signal })).rejects.toMatchObject({
    code: 'cancelled',
  });
});

test('git that takes too long is ended', async () => {
  const cwd = realpathSync(tempFolder());
  await expect(runGit({ ...shell('sleep 60'), cwd, limitMs: 50 })).rejects.toMatchObject({
    code: 'timed-out',
    message: `git line in ${cwd} took longer than 0.05 s`,
    isRetryable: true,
  });
});

test('what it prints is cut at a limit, what it says when it fails is the error, and what it reads is handed to it', async () => {
  const cwd = realpathSync(tempFolder());
  const run = (line: string, more = {}) => runGit({ ...shell(line), cwd, limitMs: 10_000, ...more });

  const { stdout, isCut } = await run('yes', { maxBytes: 1_000 });
  expect([stdout.length, isCut]).toEqual([1_000, true]);
  expect((await run('cat', { input: 'hello' })).stdout.toString()).toBe('hello');
  await expect(run('echo no >&2; exit 3')).rejects.toMatchObject({ code: 'bad-request', message: 'no' });
  await expect(run('exit 3')).rejects.toThrow('git line ended with code 3');
  expect((await run('exit 3', { accept: [0, 3] })).isCut).toBe(false);
  const gone = join(cwd, 'gone');
  await expect(runGit({ args: ['version'], cwd: gone, env, limitMs: 1_000 })).rejects.toThrow(
    `git cannot be run in ${gone}; see that git is installed and the folder is there`,
  );
  await expect(run('cat', { env: { ...env, LONG: 'x'.repeat(1_000_000) } })).rejects.toMatchObject({
    code: 'unavailable',
    message: `git cannot be run in ${cwd}: the configuration of the repository is too long`,
  });
});

test("the user's own filters stay on while the repository's are off", async () => {
  const { root, git, write, open } = testRepository({ '.gitattributes': '*.big filter=store\n', 'a.big': 'POINTER\n' });
  git('config', '--global', 'filter.store.clean', 'echo POINTER');
  write({ 'a.big': 'CONTENT\n' });
  const { stdout } = await (await open()).read(['status', '--porcelain', '-z']);
  expect(stdout.toString()).toBe('');

  git('config', '--local', 'filter.store.clean', `touch '${root}/ran'; echo OTHER`);
  expect((await (await open()).read(['status', '--porcelain', '-z'])).stdout.toString()).toBe(' M a.big\0');
  expect(existsSync(join(root, 'ran'))).toBe(false);
});

function isRunning(pid: number): boolean {
  try {
    // One that has ended and that nobody has asked about is not there any more either.
    return process.kill(pid, 0) && !/^\d+ \(.*\) Z/.test(readFileSync(`/proc/${pid}/stat`, 'utf8'));
  } catch {
    return false;
  }
}
