import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

const PROGRAM = fileURLToPath(new URL('../../packages/cli/bin/dragoman.js', import.meta.url));
const RUNNER = fileURLToPath(new URL('runner.ts', import.meta.url));
/** As `npm start` has them. */
const NODE_FLAGS = ['--conditions=@dragoman/source', '--max-semi-space-size=16'];
const READY_LIMIT_MS = 60_000;
const STOP_LIMIT_MS = 20_000;

/** A process under measurement. */
export interface BenchProcess {
  /** From its start to its first line, which says that it is ready. */
  readonly readyMs: number;
  /** What it worked for that. */
  readonly readyCpuMs: number;
  /** Resident memory now, in MB. */
  rssMb(): number;
  /** The most it ever had, in MB. */
  peakMb(): number;
  /** User and system time so far, in ms; Linux counts in hundredths of a second. */
  cpuMs(): number;
  /** The same of its main thread alone. */
  mainCpuMs(): number;
  stop(): Promise<void>;
}

/** The hub, and how it is reached. */
export interface HubProcess extends BenchProcess {
  url: string;
  token: string;
}

/** A runner of its own, and what the hub knows it by. */
export interface RunnerProcess extends BenchProcess {
  runnerId: string;
}

/** Where a bench keeps its things, and whether the processes write a profile of themselves. */
export interface BenchPlace {
  folder: string;
  profiles?: string | undefined;
  /** The data folder in it, where it is not `hub`. */
  data?: string;
  /** More for Node, such as a module to load first. */
  flags?: readonly string[];
  /** More for the environment of the hub, such as its database. */
  env?: Record<string, string>;
}

/** `dragoman serve` on the data of this place. */
export async function startHub(place: BenchPlace): Promise<HubProcess> {
  const { data = 'hub', flags = [] } = place;
  const args = [...flagsOf(place), ...flags, PROGRAM, 'serve', '--port', '0', '--json'];
  const { line, process } = await start(
    args,
    { ...place.env, DRAGOMAN_HOME: join(place.folder, data) },
    join(place.folder, `${data}.log`),
  );
  return { ...process, ...(JSON.parse(line) as { url: string; token: string }) };
}

/** `dragoman runner` with everything it has, at rest. */
export async function startPlainRunner(place: BenchPlace, hub: HubProcess): Promise<BenchProcess> {
  const args = [...NODE_FLAGS, PROGRAM, 'runner', '--hub', hub.url, '--token', hub.token];
  const env = { DRAGOMAN_HOME: join(place.folder, 'plain-runner') };
  return (await start(args, env, join(place.folder, 'plain-runner.log'))).process;
}

/** A runner with the scripted agent, as a process of its own; `program` hosts another agent. */
export async function startRunner(place: BenchPlace, hub: HubProcess, program = RUNNER): Promise<RunnerProcess> {
  const env = { BENCH_HUB_URL: hub.url, BENCH_HUB_TOKEN: hub.token, BENCH_FOLDER: join(place.folder, 'runner') };
  const { line, process } = await start([...flagsOf(place), program], env, join(place.folder, 'runner.log'));
  return { ...process, ...(JSON.parse(line) as { runnerId: string }) };
}

function flagsOf({ profiles }: BenchPlace): string[] {
  return profiles === undefined ? NODE_FLAGS : [...NODE_FLAGS, '--cpu-prof', `--cpu-prof-dir=${profiles}`];
}

async function start(
  args: readonly string[],
  env: Record<string, string>,
  logFile: string,
): Promise<{ line: string; process: BenchProcess }> {
  const startedAt = performance.now();
  const log = openSync(logFile, 'a');
  const child = spawn(process.execPath, args, { env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', log] });
  closeSync(log);
  const line = await firstLine(child, logFile);
  return { line, process: measured(child, performance.now() - startedAt) };
}

async function firstLine(child: ChildProcess, logFile: string): Promise<string> {
  const lines = createInterface({ input: child.stdout! });
  try {
    const ended = once(child, 'exit').then(() => {
      throw new Error(`A process ended before it was ready: ${readFileSync(logFile, 'utf8').slice(-2_000)}`);
    });
    const [line] = (await Promise.race([
      once(lines, 'line', { signal: AbortSignal.timeout(READY_LIMIT_MS) }),
      ended,
    ])) as [string];
    ended.catch(() => {}); // Later it may end as it likes.
    return line;
  } catch (error) {
    child.kill('SIGKILL');
    throw error;
  }
}

function measured(child: ChildProcess, readyMs: number): BenchProcess {
  const status = (field: string) => {
    const text = readFileSync(`/proc/${child.pid}/status`, 'utf8');
    return Number(new RegExp(`${field}:\\s+(\\d+)`).exec(text)?.[1]) / 1024;
  };
  const readCpuMs = (of: string) => {
    const fields = readFileSync(`/proc/${of}/stat`, 'utf8').split(') ')[1]!.split(' ');
    return (Number(fields[11]) + Number(fields[12])) * 10;
  };
  const cpuMs = () => readCpuMs(`${child.pid}`);
  return {
    readyMs,
    readyCpuMs: cpuMs(),
    rssMb: () => status('VmRSS'),
    peakMb: () => status('VmHWM'),
    cpuMs,
    mainCpuMs: () => readCpuMs(`${child.pid}/task/${child.pid}`),
    async stop() {
      if (child.exitCode !== null || child.signalCode !== null) return;
      const ended = once(child, 'exit');
      child.kill('SIGTERM');
      const late = setTimeout(() => child.kill('SIGKILL'), STOP_LIMIT_MS);
      await ended;
      clearTimeout(late);
    },
  };
}
