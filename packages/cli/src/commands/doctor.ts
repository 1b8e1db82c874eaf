import { accessSync, constants, existsSync } from 'node:fs';
import { describeLocation, explainConfig, inspectStore, SecretsFile } from '@dragoman/server';
import { formatTable } from '../format-table.ts';
import { type CommonOptions, loadSetup, type Setup } from '../load-setup.ts';
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
  const setup = loadSetup(options);
  const findings = await examine(setup);
  const settings = explainConfig(setup.config);
  const isWell = findings.every((finding) => finding.isWell);

  if (options.json === true)
    process.stdout.write(`${JSON.stringify({ version: VERSION, isWell, findings, settings }, null, 2)}\n`);
  else {
    const lines = findings.map(({ subject, isWell, says }) => [isWell ? 'ok' : 'WRONG', subject, says]);
    const rows = settings.map(({ setting, value, from }) => [setting, value, from]);
    process.stdout.write(
      `${formatTable(['', '', `Dragoman ${VERSION}`], lines)}\n\n${formatTable(['setting', 'value', 'from'], rows)}\n`,
    );
  }
  if (!isWell) process.exitCode = 1;
}

async function examine(setup: Setup): Promise<Finding[]> {
  return Promise.all([
    find('node', () => process.versions.node),
    find('data folder', () => describeFolder(setup.folder.path)),
    find('configuration', () =>
      existsSync(setup.source.file) ? setup.source.file : `${setup.source.file} is not there; defaults are in force`,
    ),
    find('secrets', () => `${new SecretsFile(setup.folder.secretsFile).read().size} kept`),
    find('database', () => describeStore(setup)),
    find('server', () => describeServer(setup)),
  ]);
}

async function find(subject: string, look: () => string | Promise<string>): Promise<Finding> {
  try {
    return { subject, isWell: true, says: await look() };
  } catch (error) {
    return { subject, isWell: false, says: error instanceof Error ? error.message : String(error) };
  }
}

function describeFolder(path: string): string {
  if (!existsSync(path)) return `${path} is not there yet; the first start makes it`;
  accessSync(path, constants.R_OK | constants.W_OK | constants.X_OK);
  return path;
}

async function describeStore({ location }: Setup): Promise<string> {
  const { engine, pending } = await inspectStore(location, roomMigrations);
  const steps = pending.length === 0 ? 'up to date' : `${pending.length} steps to come at the next start`;
  return `${engine}: ${describeLocation(location)}, ${steps}`;
}

async function describeServer({ folder }: Setup): Promise<string> {
  const running = findRunning(folder);
  if (running === undefined) return 'not running on this data folder';
  const response = await fetch(`${running.url}/health`, { signal: AbortSignal.timeout(5_000) });
  const { status } = (await response.json()) as { status: string };
  if (!response.ok) throw new Error(`runs at ${running.url} but says: ${status}`);
  return `runs at ${running.url} (process ${running.pid})`;
}
