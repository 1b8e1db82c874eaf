import { type ChildProcess, spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';
import { tempFolder } from './temp-folder.ts';

/** The end-to-end tests name the bundled program here, which starts in half the time; it is the sources otherwise. */
const PROGRAM =
  process.env['DRAGOMAN_PROGRAM'] ?? fileURLToPath(new URL('../../packages/cli/bin/dragoman.js', import.meta.url));

export interface RunOptions {
  home?: string;
  /** Where the command is called; where the tests run unless given. */
  cwd?: string;
  env?: Record<string, string>;
  input?: string;
  /** Another one than that of the checkout. */
  program?: string;
  /** Is given what ends the command. It ends with the running test where this is not given. */
  atEnd?: (end: () => Promise<void>) => void;
}

export interface FinishedRun {
  exitCode: number | null;
  stdout: string;
  stderr: string;
}

/** A command under way. */
export interface StartedDragoman {
  process: ChildProcess;
  /** Everything it has printed so far. */
  output(): string;
  /** Waits for standard error to hold the text. */
  untilLogged(text: string): Promise<void>;
  finished: Promise<FinishedRun>;
}

export interface RunningDragoman {
  url: string;
  token: string;
  home: string;
  process: ChildProcess;
  /** Everything it has printed so far. */
  output(): string;
  /** Waits for a line of its log that holds the text. */
  untilLogged(text: string): Promise<void>;
  /** Resolves at its end, however it comes. */
  finished: Promise<FinishedRun>;
  /** Sends the signal and waits for the end. */
  stop(signal?: NodeJS.Signals): Promise<FinishedRun>;
}

/** Runs a command of the real program to its end. */
export async function runDragoman(args: readonly string[], options: RunOptions = {}): Promise<FinishedRun> {
  const { child, finished } = start(args, options);
  child.stdin.end(options.input ?? '');
  return finished;
}

/** Starts a command of the real program that stays until it is told to end. */
export function startDragoman(args: readonly string[], options: RunOptions = {}): StartedDragoman {
  const { child, finished, output, untilLogged } = start(args, options);
  return { process: child, finished, output, untilLogged };
}

/** Starts the real server on a free port and waits until it is ready. */
export async function serveDragoman(args: readonly string[] = [], options: RunOptions = {}): Promise<RunningDragoman> {
  const home = options.home ?? tempFolder();
  const { child, finished, output, untilLogged } = start(['serve', '--port', '0', '--json', ...args], {
    ...options,
    home,
  });
  const ready = await Promise.race([
    new Promise<string>((resolve) => createInterface({ input: child.stdout }).once('line', resolve)),
    finished.then(({ exitCode, stderr }) => {
      throw new Error(`the server ended with ${exitCode} before it was ready: ${stderr}`);
    }),
  ]);
  const { url, token } = JSON.parse(ready) as { url: string; token: string };
  return {
    url,
    token,
    home,
    process: child,
    output,
    untilLogged,
    finished,
    stop(signal = 'SIGTERM') {
      child.kill(signal);
      return finished;
    },
  };
}

function start(args: readonly string[], options: RunOptions) {
  const home = options.home ?? tempFolder();
  const { DRAGOMAN_DATABASE_URL: _unset, npm_lifecycle_event: _event, ...env } = process.env;
  const child = spawn(process.execPath, ['--conditions=@dragoman/source', options.program ?? PROGRAM, ...args], {
    env: { ...env, DRAGOMAN_HOME: home, NO_COLOR: '1', ...options.env },
    ...(options.cwd !== undefined && { cwd: options.cwd }),
    stdio: 'pipe',
  });
  let stdout = '';
  let stderr = '';
  const watchers = new Set<() => void>();
  child.stdout.on('data', (chunk: Buffer) => {
    stdout += chunk.toString();
  });
  child.stderr.on('data', (chunk: Buffer) => {
    stderr += chunk.toString();
    for (const look of watchers) look();
  });
  const finished = new Promise<FinishedRun>((resolve) =>
    child.once('close', (exitCode) => resolve({ exitCode, stdout, stderr })),
  );
  (options.atEnd ?? onTestFinished)(async () => {
    child.kill('SIGKILL');
    await finished;
    endAgents(home);
  });
  const untilLogged = (text: string) =>
    new Promise<void>((resolve) => {
      const look = () => {
        if (!stderr.includes(text)) return;
        watchers.delete(look);
        resolve();
      };
      watchers.add(look);
      look();
    });
  return { child, finished, untilLogged, output: () => stdout + stderr };
}

/** Ends the process for agents, which outlives a server that is killed. */
function endAgents(home: string): void {
  try {
    const { pid } = JSON.parse(readFileSync(join(home, 'runner/server/outbox/holder.json'), 'utf8')) as { pid: number };
    if (readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('server-runner')) process.kill(pid, 'SIGKILL');
  } catch {
    // There is none.
  }
}
