/**
 * A busy machine, to try tests on: `npm run -s load -- PROCESSES [SECONDS] [-- COMMAND…]`.
 *
 * Of every four processes three take a core and one writes small files to the disk. With a command the load stands
 * beside it and ends with it, and the exit code is the command's. The load never lasts longer than SECONDS.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { constants } from 'node:os';
import { fileURLToPath } from 'node:url';

const LIMIT_SECONDS = 30 * 60;
/** The longest a timer can wait. */
const MOST_SECONDS = 2_147_483;
const USAGE = `Usage: npm run -s load -- PROCESSES [SECONDS] [-- COMMAND…]
PROCESSES keep the machine busy for SECONDS at most (1800 if not given), or as long as COMMAND runs. Both are whole numbers above 0.`;

const asked = process.argv.slice(2);
const dashes = asked.includes('--') ? asked.indexOf('--') : asked.length;
const [command, ...args] = asked.slice(dashes + 1);
const [processes, seconds = LIMIT_SECONDS, ...rest] = asked.slice(0, dashes).map(Number);
const isCount = (number: number | undefined): number is number =>
  Number.isInteger(number) && number! > 0 && number! <= MOST_SECONDS;
if (!isCount(processes) || !isCount(seconds) || rest.length > 0) {
  process.stderr.write(`${USAGE}\n`);
  process.exit(2);
}

const load = await startLoad(processes, seconds);
process.stderr.write(`A load of ${processes} for at most ${seconds} s.\n`);
const loadIsOver = Promise.all(load.map((child) => once(child, 'exit')));
if (command === undefined) {
  await loadIsOver;
} else {
  let isInterrupted = false; // Ctrl-C ends the load and the command at once.
  process.once('SIGINT', () => (isInterrupted = true));
  void loadIsOver.then(() => {
    if (!isInterrupted) process.stderr.write('The load is over; the command goes on without it.\n');
  });
  process.exit(await run(command, args)); // What still runs of the load ends with this process.
}

/** Resolves when all of them are at work. */
async function startLoad(count: number, limitSeconds: number): Promise<ChildProcess[]> {
  const program = fileURLToPath(new URL('load-process.ts', import.meta.url));
  const children = Array.from({ length: count }, (_, index) => {
    const work = index % 4 === 3 ? 'write' : 'spin';
    return spawn(process.execPath, [program, work, String(limitSeconds)], { stdio: ['pipe', 'pipe', 'inherit'] });
  });
  await Promise.all(children.map((child) => once(child.stdout, 'data')));
  return children;
}

/** The command's exit code; a signal that ends this program ends the command first. */
async function run(program: string, programArgs: readonly string[]): Promise<number> {
  const child = spawn(program, programArgs, { stdio: 'inherit' });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => child.kill(signal));
  return new Promise((resolve) => {
    child.once('error', (error) => {
      process.stderr.write(`${program} could not be started: ${error.message}\n`);
      resolve(127);
    });
    child.once('exit', (code, signal) => resolve(code ?? 128 + constants.signals[signal!]));
  });
}
