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
  SecretsFile,
} from '@dragoman/server';
import { examineAgent } from '../examine-agent.ts';
import { EXIT_CODES } from '../exit-code.ts';
import { type Finding, find } from '../finding.ts';
import { formatTable } from '../format-table.ts';
import { type CommonOptions, findPlaces, type Places } from '../load-setup.ts';
import { readStore } from '../read-store.ts';
import { type DragomanConfig, roomMigrations } from '../rooms.ts';
import { findRunning } from '../running-server.ts';
import { VERSION } from '../version.ts';

/** Looks at everything a start would need, changes nothing, and fails when something would go wrong. */
export async function doctor(options: CommonOptions & { json?: boolean }): Promise<void> {
  const places = findPlaces(options);
  const { config, finding } = readConfig(places);
  const [server, agent] = await Promise.all([examine(places, finding), examineAgent(places, config?.value)]);
  const findings = [...server, ...agent];
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
function readConfig({ source }: Places): { config: LoadedConfig<DragomanConfig> | undefined; finding: Finding } {
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

/** What clients said they could not read. */
async function describeReports({ location }: Places): Promise<string> {
  const reports = await readStore(location, (store) => new ClientReports(store.tables<UsageTables>(), () => {}).list());
  const [newest, ...others] = reports ?? [];
  if (newest === undefined) return 'nothing reported';
  return `${others.length + 1} errors reported, the last on ${new Date(newest.at).toISOString().slice(0, 16)}: ${newest.message}`;
}
