import { isSecretFile } from '@dragoman/protocol/secrets';
import { type GitLook, runGit } from './run-git.ts';

/**
 * The files that git follows, that have changed, and that are made to hold secrets. A repository may bring an empty `.env`
 * along for people to fill in; what they wrote would stand in a diff. Fails where git does.
 */
export async function changedSecrets(look: GitLook): Promise<string[]> {
  const listed = await runGit(['status', '--porcelain', '-z', '--untracked-files=no', '--no-renames'], look);
  const paths = listed.split('\0').map((entry) => entry.slice('XY '.length));
  return paths.filter((path) => path !== '' && isSecretFile(path));
}
