import { dirname, resolve } from 'node:path';
import {
  ConfigInvalidError,
  type ConfigOverride,
  type ConfigSource,
  type DataFolder,
  dataFolder,
  loadConfig,
  type LoadedConfig,
  openDataFolder,
  openSettingsBeside,
  ownEnvironment,
  readLayerCopy,
  type StoreLocation,
  takeKeysFromEnvironment,
  writeLayerCopy,
} from '@dragoman/server/base';
import { readStore } from './read-store.ts';
import { type DragomanConfig, dragomanConfigSchema } from './rooms.ts';

/** Options that every command takes. */
export interface CommonOptions {
  config?: string;
}

/** Where this run finds its things: every command starts from here. */
export interface Setup {
  folder: DataFolder;
  source: ConfigSource<typeof dragomanConfigSchema>;
  config: LoadedConfig<DragomanConfig>;
  location: StoreLocation;
}

/** Where things are, before anything of them is read. */
export type Places = Omit<Setup, 'config'>;

export function findPlaces(
  options: CommonOptions,
  overrides: readonly ConfigOverride[] = [],
  env: NodeJS.ProcessEnv = ownEnvironment(),
): Places {
  const folder = dataFolder(env);
  const location = storeLocation(folder, env);
  const source: Setup['source'] = {
    schema: dragomanConfigSchema,
    file: options.config === undefined ? folder.configFile : userPath(options.config, env),
    isFileRequired: options.config !== undefined,
    secretsFile: folder.secretsFile,
    // What other servers were told counts as long as the database is shared with them.
    sharedFile: location.databaseUrl === undefined ? undefined : folder.sharedFile,
    env,
    overrides,
  };
  return { folder, source, location };
}

/** For commands that keep something: the data folder is made and seen to be usable first. */
export function openSetup(
  options: CommonOptions,
  overrides: readonly ConfigOverride[] = [],
  env?: NodeJS.ProcessEnv,
): Setup {
  const places = findPlaces(options, overrides, env);
  openDataFolder(places.folder);
  const config = loadConfig(places.source);
  takeKeysFromEnvironment(config.environmentNames);
  return { ...places, config };
}

/**
 * For a server: where the file needs what other servers were told, such as a secret, and the copy of it is old or not there,
 * the database is asked.
 */
export async function openSetupToServe(options: CommonOptions, overrides: readonly ConfigOverride[]): Promise<Setup> {
  try {
    return openSetup(options, overrides);
  } catch (error) {
    const { location, folder } = findPlaces(options, overrides);
    if (!(error instanceof ConfigInvalidError) || location.databaseUrl === undefined) throw error;
    const file = folder.sharedFile;
    const layer = await readStore(location, (store) => openSettingsBeside(store, file).read()).catch(() => undefined);
    if (layer === undefined) throw error;
    writeLayerCopy(file, { ...layer, before: readLayerCopy(file).before });
    return openSetup(options, overrides);
  }
}

/**
 * A path as the user meant it: npm runs scripts in the checkout, wherever they were called from. A program that npm
 * runs may start this one elsewhere, with what npm told it still around; then its place is what counts.
 */
export function userPath(path: string, env: NodeJS.ProcessEnv = process.env, cwd = process.cwd()): string {
  const { npm_lifecycle_event: script, npm_package_json: packageFile, INIT_CWD: calledIn } = env;
  const isMovedByNpm = script !== undefined && (packageFile === undefined || dirname(packageFile) === cwd);
  return resolve(isMovedByNpm ? (calledIn ?? cwd) : cwd, path);
}

function storeLocation(folder: DataFolder, env: NodeJS.ProcessEnv): StoreLocation {
  return { databaseFile: folder.databaseFile, databaseUrl: env['DRAGOMAN_DATABASE_URL'] || undefined };
}
