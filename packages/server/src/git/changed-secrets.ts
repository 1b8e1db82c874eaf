import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { isSecretFile } from '@dragoman/protocol/secrets';
import { gitEnvironment, type GitSetting } from './git-environment.ts';

const run = promisify(execFile);
const LIMIT_MS = 5_000;
const MAX_BYTES = 4 * 1024 * 1024;

/**
 * The files that git follows, that have changed, and that are made to hold secrets. A repository may bring an empty `.env`
 * along for people to fill in; what they wrote would stand in a diff. Fails where git does.
 */
export async function changedSecrets(
  folder: string,
  environment: Readonly<Record<string, string | undefined>>,
  settings: readonly GitSetting[],
): Promise<string[]> {
  const { stdout } = await run('git', ['status', '--porcelain', '-z', '--untracked-files=no', '--no-renames'], {
    cwd: folder,
    env: gitEnvironment(environment, { folder, settings }),
    timeout: LIMIT_MS,
    maxBuffer: MAX_BYTES,
    killSignal: 'SIGKILL',
  });
  const paths = stdout.split('\0').map((entry) => entry.slice('XY '.length));
  return paths.filter((path) => path !== '' && isSecretFile(path));
}
