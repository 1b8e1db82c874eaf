import { accessSync, chmodSync, constants, mkdirSync, type Stats, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { DragomanError } from '@dragoman/protocol';

/** Where things are kept when nothing else is said. */
export interface DataFolder {
  path: string;
  configFile: string;
  secretsFile: string;
  /** The copy of the settings that servers on one PostgreSQL share. */
  sharedFile: string;
  schemaFile: string;
  databaseFile: string;
  /** Which server has the folder; see `claimServerLock`. */
  lockFile: string;
}

export function dataFolder(
  env: Readonly<Record<string, string | undefined>>,
  platform: NodeJS.Platform = process.platform,
): DataFolder {
  const path = resolve(env['DRAGOMAN_HOME'] || platformDataFolder(env, platform));
  return {
    path,
    configFile: join(path, 'dragoman.json'),
    secretsFile: join(path, 'secrets.json'),
    sharedFile: join(path, 'shared-settings.json'),
    schemaFile: join(path, 'dragoman.schema.json'),
    databaseFile: join(path, 'dragoman.sqlite'),
    lockFile: join(path, 'server.lock'),
  };
}

/** Makes the folder, or takes one that is there, for its owner alone, and sees to it that it can be written to. */
export function openDataFolder(folder: DataFolder): void {
  try {
    mkdirSync(folder.path, { recursive: true, mode: 0o700 });
    const found = statSync(folder.path);
    if (!found.isDirectory()) throw Object.assign(new Error('not a folder'), { code: 'ENOTDIR' });
    if (isOursButOpen(found)) chmodSync(folder.path, 0o700);
    accessSync(folder.path, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    throw new DragomanError(
      'data-folder',
      `The data folder ${folder.path} cannot be used (${code}). Make it writable, or set DRAGOMAN_HOME to another folder.`,
      { cause: error },
    );
  }
}

/** A folder with the sticky bit, such as `/tmp`, is meant for many. */
function isOursButOpen({ uid, mode }: Stats): boolean {
  return uid === process.getuid?.() && (mode & 0o077) !== 0 && (mode & 0o1000) === 0;
}

function platformDataFolder(env: Readonly<Record<string, string | undefined>>, platform: NodeJS.Platform): string {
  if (platform === 'win32') return join(env['LOCALAPPDATA'] || join(homedir(), 'AppData', 'Local'), 'dragoman');
  if (platform === 'darwin') return join(homedir(), 'Library', 'Application Support', 'dragoman');
  return join(env['XDG_DATA_HOME'] || join(homedir(), '.local', 'share'), 'dragoman');
}
