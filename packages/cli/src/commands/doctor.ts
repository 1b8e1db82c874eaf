import { existsSync } from 'node:fs';
import type { AgentOffer } from '@dragoman/protocol';
import { countLeftBehind } from '@dragoman/gateway';
import { runnerProcessIn } from '@dragoman/runner';
import {
  describeHeldBack,
  describeLocation,
  explainConfig,
  findRunning,
  inspectStore,
  loadConfig,
  type ExplainedSetting,
  type LoadedConfig,
} from '@dragoman/server/base';
import { describeLeftBehind, describeWaiting } from '../describe-waiting.ts';
import { examineServer } from '../examine-server.ts';
import { whatItNeeds } from '../examine-hosted-agents.ts';
import { EXIT_CODES } from '../exit-code.ts';
import type { Finding } from '../finding.ts';
import { runnerFolder } from '../runner-folder.ts';
import { howToRun } from '../how-to-run.ts';
import { formatTable } from '../format-table.ts';
import { type CommonOptions, findPlaces, type Places } from '../load-setup.ts';
import { readStore } from '../read-store.ts';
import { type DragomanConfig, roomMigrations } from '../rooms.ts';
import { describeOldProcess } from '../server-runner/old-process.ts';
import { print, printJson } from '../terminal/print.ts';
import { VERSION } from '../version.ts';

/** Looks at everything a start would need, changes nothing, and fails when something would go wrong. */
export async function doctor(options: CommonOptions & { json?: boolean; all?: boolean }): Promise<void> {
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
    const tables = [
      verdicts(findings, agents),
      ...(options.all === true ? [agentTable(agents), settingTable(settings)] : []),
    ];
    print(tables.filter((table) => table !== '').join('\n\n'));
    print(`\n${summary(findings)}`, options.all === true ? '\n' : ` ${REST}\n`);
  }
  if (!isWell) process.exitCode = EXIT_CODES.failed;
}

const REST = `For all agents and settings: ${howToRun('doctor --all')}`;

/** A line for each thing that was looked at; of the agents, those that are here and do not start. */
function verdicts(findings: readonly Finding[], agents: readonly AgentOffer[]): string {
  const lines = findings.flatMap(({ isWell, subject, says }) => {
    const [first, ...others] = says.split('\n');
    return [[isWell ? 'ok' : 'FAIL', subject, first!], ...others.map((other) => ['', '', other])];
  });
  const told = new Set(findings.map(({ subject }) => subject));
  const broken = agents.filter(
    ({ name, problem }) => problem?.fix === undefined && problem && !told.has(`agent ${name}`),
  );
  return formatTable(
    ['', '', `Dragoman ${VERSION}`],
    [...lines, ...broken.map(({ name, problem }) => ['--', `agent ${name}`, problem!.message])],
  );
}

function agentTable(agents: readonly AgentOffer[]): string {
  const rows = agents.map(({ name, backend, problem }) => [name, backend, whatItNeeds(problem)]);
  return formatTable(['agent', 'kind', 'to start it'], rows);
}

function settingTable(settings: readonly ExplainedSetting[]): string {
  const rows = settings.map(({ setting, value, from }) => [setting, value, from]);
  return rows.length === 0 ? '' : formatTable(['setting', 'value', 'from'], rows);
}

function summary(findings: readonly Finding[]): string {
  const wrong = findings.filter(({ isWell }) => !isWell).length;
  if (wrong === 0) return 'No problems found.';
  return wrong === 1 ? '1 problem found.' : `${wrong} problems found.`;
}

/** A configuration that cannot be used is a finding among others. */
function readConfig({ source }: Places): { config: LoadedConfig<DragomanConfig> | undefined; finding: Finding } {
  const says = existsSync(source.file) ? source.file : `${source.file} does not exist; using defaults`;
  try {
    const config = loadConfig(source);
    const problem = describeHeldBack(config.heldBack);
    return {
      config,
      finding: { subject: 'configuration', isWell: problem === undefined, says: problem ?? says },
    };
  } catch (error) {
    return { config: undefined, finding: { subject: 'configuration', isWell: false, says: (error as Error).message } };
  }
}

async function describeStore({ location }: Places): Promise<string> {
  const { engine, pending } = await inspectStore(location, roomMigrations);
  const steps = pending.length === 0 ? 'up to date' : `${pending.length} migrations pending until the next start`;
  return `${engine}: ${describeLocation(location)}, ${steps}`;
}

async function describeServer({ folder }: Places): Promise<string> {
  const running = findRunning(folder);
  if (running === undefined) {
    const leftBehind = countLeftBehind(folder.path);
    if (leftBehind > 0) throw new Error(`not running; ${describeLeftBehind(leftBehind)}`);
    const agents = runnerProcessIn(runnerFolder({ folder }, undefined));
    if (agents === undefined) return 'not running';
    return `not running; agents that it left are still at work (process ${agents.pid}). End them with: dragoman stop`;
  }
  const response = await fetch(`${running.url}/health`, { signal: AbortSignal.timeout(5_000) }).catch(() => {
    throw new Error(`should be running at ${running.url} (process ${running.pid}) but does not respond`);
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
  if (!response.ok) throw new Error(`running at ${running.url} but reports: ${status}${waiting}`);
  if (waiting !== '') throw new Error(`running at ${running.url} (process ${running.pid})${waiting}`);
  const resting =
    restingTargets === 0
      ? ''
      : `; ${restingTargets} ${restingTargets === 1 ? 'target' : 'targets'} paused after failures`;
  const old = describeOldProcess(runnerFolder({ folder }, undefined));
  return `running at ${running.url} (process ${running.pid})${resting}${old === undefined ? '' : `; ${old}`}`;
}
