import { existsSync } from 'node:fs';
import {
  describeLocation,
  explainConfig,
  findRunning,
  inspectStore,
  loadConfig,
  type LoadedConfig,
} from '@dragoman/server/base';
import { describeWaiting } from '../describe-waiting.ts';
import { examineServer } from '../examine-server.ts';
import { whatItNeeds } from '../examine-hosted-agents.ts';
import { EXIT_CODES } from '../exit-code.ts';
import type { Finding } from '../finding.ts';
import { formatTable } from '../format-table.ts';
import { type CommonOptions, findPlaces, type Places } from '../load-setup.ts';
import { readStore } from '../read-store.ts';
import { type DragomanConfig, roomMigrations } from '../rooms.ts';
import { print, printJson } from '../terminal/print.ts';
import { VERSION } from '../version.ts';

/** Looks at everything a start would need, changes nothing, and fails when something would go wrong. */
export async function doctor(options: CommonOptions & { json?: boolean }): Promise<void> {
  const places = findPlaces(options);
  const { config, finding } = readConfig(places);
  const { findings, agents } = await examineServer({
    places,
    config: config?.value,
    configuration: finding,
    describeStore: () => describeStore(places),
    describeServer: () => describeServer(places),
    readStore: (read) => readStore(places.location, read),
  });
  const settings = config === undefined ? [] : explainConfig(config);
  const isWell = findings.every((one) => one.isWell);

  if (options.json === true) {
    printJson({ version: VERSION, isWell, findings, agents, settings }, 2);
  } else {
    const lines = findings.flatMap(({ isWell: isOk, subject, says }) => {
      const [first, ...others] = says.split('\n');
      return [[isOk ? 'ok' : 'WRONG', subject, first!], ...others.map((other) => ['', '', other])];
    });
    const offers = agents.map(({ name, backend, problem }) => [name, backend, whatItNeeds(problem)]);
    const rows = settings.map(({ setting, value, from }) => [setting, value, from]);
    const table = rows.length === 0 ? '' : `\n\n${formatTable(['setting', 'value', 'from'], rows)}`;
    print(
      `${formatTable(['', '', `Dragoman ${VERSION}`], lines)}\n\n${formatTable(['agent', 'kind', 'to start it'], offers)}${table}`,
    );
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
  const {
    status,
    usageWaiting,
    restingTargets = 0,
  } = (await response.json()) as {
    status: string;
    usageWaiting?: number;
    restingTargets?: number;
  };
  const waiting = usageWaiting === undefined ? '' : `; ${describeWaiting(usageWaiting)}`;
  if (!response.ok) throw new Error(`runs at ${running.url} but says: ${status}${waiting}`);
  if (waiting !== '') throw new Error(`runs at ${running.url} (process ${running.pid})${waiting}`);
  const resting = restingTargets === 0 ? '' : `; ${restingTargets} of its targets rest after failures`;
  return `runs at ${running.url} (process ${running.pid})${resting}`;
}
