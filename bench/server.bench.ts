import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const ROUNDS = 7;

/** The command of `npm start`, without npm. */
const START = readStartCommand();

/** Time to ready and memory at rest, beside a Node that does nothing. */
export async function run(): Promise<void> {
  const home = mkdtempSync(join(tmpdir(), 'dragoman-bench-'));
  try {
    await measure(START, home); // The first start compiles; what people wait for every day is the next one.
    const ours: Measure[] = [];
    const bare: Measure[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      ours.push(await measure(START, home));
      bare.push(await measure([process.execPath, '-e', 'setInterval(() => {}, 1000); console.log("ready")'], home));
    }
    const row = (name: string, pick: (measure: Measure) => number, unit: string, limit: string) => {
      const [value, reference] = [median(ours.map(pick)), median(bare.map(pick))];
      console.log(
        `${name.padEnd(14)} ${value.toFixed(0).padStart(5)} ${unit}   ${(value / reference).toFixed(1)} × a bare node (${reference.toFixed(0)} ${unit})   limit ${limit}`,
      );
    };
    row('ready', (measure) => measure.readyMs, 'ms', '800 ms');
    row('idle memory', (measure) => measure.idleMb, 'MB', '110 MB');
    row('CPU to ready', (measure) => measure.cpuMs, 'ms', '-');
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}

interface Measure {
  readyMs: number;
  cpuMs: number;
  idleMb: number;
}

async function measure([command, ...args]: string[], home: string): Promise<Measure> {
  const started = performance.now();
  const child = spawn(command!, args, {
    cwd: ROOT,
    env: { ...process.env, DRAGOMAN_HOME: home },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  await once(child.stdout, 'data');
  const readyMs = performance.now() - started;
  const cpuMs = readCpuMs(child);
  await new Promise((resolve) => setTimeout(resolve, 3_000));
  const idleMb = Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))?.[1]) / 1024;
  child.kill('SIGTERM');
  await once(child, 'close');
  return { readyMs, cpuMs, idleMb };
}

/** User and system time, which Linux counts in hundredths of a second. */
function readCpuMs(child: ChildProcess): number {
  const fields = readFileSync(`/proc/${child.pid}/stat`, 'utf8').split(') ')[1]!.split(' ');
  return (Number(fields[11]) + Number(fields[12])) * 10;
}

function readStartCommand(): string[] {
  const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { scripts: { start: string } };
  const args = scripts.start.split(' ').slice(2); // Behind `exec node`.
  return [process.execPath, ...args, '--port', '0', '--json'];
}

function median(values: number[]): number {
  return values.toSorted((one, other) => one - other)[Math.floor(values.length / 2)]!;
}
