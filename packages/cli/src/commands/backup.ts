import { statSync } from 'node:fs';
import { backupStore, describeLocation, restoreStore } from '@dragoman/server/base';
import { type CommonOptions, openSetup, userPath } from '../load-setup.ts';
import { roomMigrations } from '../rooms.ts';
import { print, printJson } from '../terminal/print.ts';

/** A backup holds what is stored, token hashes included; configuration and secrets are files of their own. */
export async function backup(
  file: string,
  options: CommonOptions & { restore?: boolean; json?: boolean },
): Promise<void> {
  const { location } = openSetup(options);
  const path = userPath(file);
  if (options.restore === true) await restoreStore(path, location, roomMigrations);
  else await backupStore(location, roomMigrations, path);

  const bytes = statSync(path).size;
  const sentence =
    options.restore === true
      ? `${describeLocation(location)} restored from ${path}.`
      : `Backed up to ${path} (${bytes} bytes).`;
  if (options.json === true) printJson({ file: path, bytes });
  else print(sentence);
}
