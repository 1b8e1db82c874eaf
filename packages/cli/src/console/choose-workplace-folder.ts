import { homedir } from 'node:os';
import { parse } from 'node:path';
import { DragomanError } from '@dragoman/protocol';
import { AllowedFolders } from '@dragoman/runner';
import { userPath } from '../load-setup.ts';

/**
 * The folder that is meant, by its real path: one where agents may work, as sessions have it. Where none is named, it is
 * the one that the server was started in; where that is no place to work, the first that may be, or the home folder.
 */
export async function chooseWorkplaceFolder(
  given: string | undefined,
  allowed: () => readonly string[],
  startedIn: string = userPath('.'),
): Promise<string> {
  const folders = new AllowedFolders(allowed);
  if (given !== undefined) return folders.resolve(given).catch(refuse);
  const own = startedIn === parse(startedIn).root ? [] : [startedIn];
  for (const folder of [...own, ...folders.roots]) {
    const real = await folders.resolve(folder).catch(() => undefined);
    if (real !== undefined) return real;
  }
  return folders.resolve(homedir()).catch(refuse);
}

function refuse(error: unknown): never {
  if (!(error instanceof DragomanError)) throw error;
  throw new DragomanError('bad-request', `folder: ${error.message}.`, { cause: error });
}
