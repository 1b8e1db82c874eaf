import { resolve } from 'node:path';
import {
  type ConfigOverride,
  type ConfigSource,
  type DataFolder,
  dataFolder,
  loadConfig,
  type LoadedConfig,
  openDataFolder,
  type StoreLocation,
} from '@dragoman/server';
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

/** For commands that only look. */
export function loadSetup(
  options: CommonOptions,
  overrides: readonly ConfigOverride[] = [],
  env: NodeJS.ProcessEnv = process.env,
): Setup {
  const folder = dataFolder(env);
  const source: Setup['source'] = {
    schema: dragomanConfigSchema,
    file: options.config === undefined ? folder.configFile : resolve(options.config),
    isFileRequired: options.config !== undefined,
    secretsFile: folder.secretsFile,
    env,
    overrides,
  };
  return { folder, source, config: loadConfig(source), location: storeLocation(folder, env) };
}

/** For commands that keep something: the data folder is made and seen to be usable first. */
export function openSetup(
  options: CommonOptions,
  overrides: readonly ConfigOverride[] = [],
  env: NodeJS.ProcessEnv = process.env,
): Setup {
  openDataFolder(dataFolder(env));
  return loadSetup(options, overrides, env);
}

function storeLocation(folder: DataFolder, env: NodeJS.ProcessEnv): StoreLocation {
  return { databaseFile: folder.databaseFile, databaseUrl: env['DRAGOMAN_DATABASE_URL'] || undefined };
}
