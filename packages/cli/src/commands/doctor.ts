import { accessSync, constants, existsSync } from 'node:fs';
import { dirname } from 'node:path';
import { ClientReports, type UsageTables } from '@dragoman/gateway';
import {
  type DataFolder,
  describeLocation,
  explainConfig,
  inspectStore,
  loadConfig,
  type LoadedConfig,
  openDataFolder,
  openStore,
  SecretsFile,
} from '@dragoman/server';
import { EXIT_CODES } from '../exit-code.ts';
import { formatTable } from '../format-table.ts';
import { type CommonOptions, findPlaces, type Places } from '../load-setup.ts';
import { roomMigrations } from '../rooms.ts';
import { findRunning } from '../running-server.ts';
import { VERSION } from '../version.ts';

interface Finding {
  subject: string;
  isWell: boolean;
  says: string;
}

/** Looks at everything a start would need, changes nothing, and fails when something would go wrong. */
export async function doctor(options: CommonOptions & { json?: boolean }): Promise<void> {
  const places = findPlaces(options);
  const { config, finding } = readConfig(places);
  const findings = await examine(places, finding);
  const settings = config === undefined ? [] : explainConfig(config);
  const isWell = findings.every((one) => one.isWell);

  if (options.json === true) {
    process.stdout.write(`${JSON.stringify({ version: VERSION, isWell, findings, settings }, null, 2)}\n`);
  } else {
    const lines = findings.map((one) => [one.isWell ? 'ok' : 'WRONG', one.subject, one.says]);
    const rows = settings.map(({ setting, value, from }) => [setting, value, from]);
    const table = rows.length === 0 ? '' : `\n${formatTable(['setting', 'value', 'from'], rows)}\n`;
    process.stdout.write(`${formatTable(['', '', `Dragoman ${VERSION}`], lines)}\n${table}`);
  }
  if (!isWell) process.exitCode = EXIT_CODES.failed;
}

/** A configuration that cannot be used is a finding among others. */
function readConfig({ source }: Places): { config: LoadedConfig<unknown> | undefined; finding: Finding } {
  const says = existsSync(source.file) ? source.file : `${source.file} is not there; defaults are in force`;
  try {
    return { config: loadConfig(source), finding: { subject: 'configuration', isWell: true, says } };
  } catch (error) {
    return { config: undefined, finding: { subject: 'configuration', isWell: false, says: (error as Error).message } };
  }
}

async function examine(places: Places, configuration: Finding): Promise<Finding[]> {
  return Promise.all([
    find('node', () => process.versions.node),
    find('data folder', () => describeFolder(places.folder)),
    Promise.resolve(configuration),
    find('secrets', () => `${new SecretsFile(places.folder.secretsFile).read().size} kept`),
    find('database', () => describeStore(places)),
    find('server', () => describeServer(places)),
    find('clients', () => describeReports(places)),
  ]);
}

async function find(subject: string, look: () => string | Promise<string>): Promise<Finding> {
  try {
    return { subject, isWell: true, says: await look() };
  } catch (error) {
    return { subject, isWell: false, says: error instanceof Error ? error.message : String(error) };
  }
}

function describeFolder(folder: DataFolder): string {
  if (existsSync(folder.path)) {
    openDataFolder(folder);
    return folder.path;
  }
  const parent = nearestFolder(folder.path);
  try {
    accessSync(parent, constants.W_OK | constants.X_OK);
  } catch {
    throw new Error(
      `${folder.path} is not there, and ${parent} does not let it be made; name another one in DRAGOMAN_HOME`,
    );
  }
  return `${folder.path} is not there yet; the first start makes it`;
}

function nearestFolder(path: string): string {
  const parent = dirname(path);
  return existsSync(parent) || parent === path ? parent : nearestFolder(parent);
}

async function describeStore({ location }: Places): Promise<string> {
  const { engine, pending } = await inspectStore(location, roomMigrations);
  const steps = pending.length === 0 ? 'up to date' : `${pending.length} steps to come at the next start`;
  return `${engine}: ${describeLocation(location)}, ${steps}`;
}

async function describeServer({ folder }: Places): Promise<string> {
  const running = findRunning(folder);
  if (running === undefined) return 'not running on this data folder';
  const response = await fetch(`${running.url}/health`, { signal: AbortSignal.timeout(5_000) }).catch(() => {
    throw new Error(`should run at ${running.url} (process ${running.pid}) but does not answer`);
  });
  const { status } = (await response.json()) as { status: string };
  if (!response.ok) throw new Error(`runs at ${running.url} but says: ${status}`);
  return `runs at ${running.url} (process ${running.pid})`;
}

/** What clients said they could not read; nothing is opened that is not there yet. */
async function describeReports({ location }: Places): Promise<string> {
  if (location.databaseUrl === undefined && !existsSync(location.databaseFile)) return 'nothing reported';
  const { pending } = await inspectStore(location, roomMigrations);
  if (pending.length > 0) return 'nothing reported';
  const store = await openStore(location, { rooms: roomMigrations });
  try {
    const [newest, ...others] = await new ClientReports(store.tables<UsageTables>(), () => {}).list();
    if (newest === undefined) return 'nothing reported';
    return `${others.length + 1} errors reported, the last on ${new Date(newest.at).toISOString().slice(0, 16)}: ${newest.message}`;
  } finally {
    await store.close();
  }
}
