import { type ChildProcess, spawn } from 'node:child_process';
import type { Readable } from 'node:stream';
import { explainStart, type FailedStart } from '@dragoman/server/base';
import { ToolError } from '../tool.ts';
import type { GroupGuard } from './group-guard.ts';
import type { OutputKeeper } from './output-keeper.ts';
import { isGroupRunning, stopGroup } from './process-group.ts';

/** What is to be started, and who takes what it prints. */
export interface ShellStart {
  argv: readonly string[];
  cwd: string;
  env: Readonly<Record<string, string>>;
  output: OutputKeeper;
  guard: GroupGuard;
  /** Called when there is new output. */
  onOutput?: () => void;
  /** Called when it has ended; what it says is added to the output. */
  settle?: () => Promise<string>;
}

/** How a shell ended. */
export interface ShellExit {
  exitCode: number | null;
  signal: NodeJS.Signals | null;
  /** Something it started is still running, or still holds its output open. */
  hasLeftovers: boolean;
}

/** A shell that runs, and leads a process group of its own. */
export interface ShellProcess {
  pid: number;
  exited: Promise<ShellExit>;
  /** Ends the whole group: SIGTERM, and SIGKILL for what is left after `graceMs`. */
  stop(graceMs: number): Promise<void>;
}

/** How long a pipe that others hold open is still read after the shell has ended, in all and without anything coming. */
const [LINGER_MS, QUIET_MS] = [2000, 200];
/** More than any pipe holds: what comes after it was not left in there by the shell. */
const MOST_LEFT_BYTES = 16 * 1024 * 1024;

/**
 * Starts a shell in its own process group, without input, its two outputs in one pipe.
 *
 * One pipe, because only then both arrive in the order in which they were printed: a first `sh` joins them and becomes
 * the shell. When the shell has ended, what it left running may hold the pipe for ever; it is then read on without being
 * kept, so that nothing dies of a closed pipe, and does not keep this process alive.
 */
export async function startShell({
  argv,
  cwd,
  env,
  output,
  guard,
  onOutput,
  settle,
}: ShellStart): Promise<ShellProcess> {
  const child = await spawned(['/bin/sh', '-c', 'exec "$@" 2>&1', 'sh', ...argv], cwd, env);
  const pid = child.pid!;
  guard.add(pid);
  const pipe = child.stdout!;
  let isKept = true;
  const take = (chunk: Buffer) => {
    if (!isKept) return;
    if (!output.add(chunk)) pipe.pause();
    onOutput?.();
  };
  output.onDrain = () => void pipe.resume();
  pipe.on('data', take);
  pipe.on('error', () => {});

  const exited = (async (): Promise<ShellExit> => {
    const { exitCode, signal } = await exitOf(child);
    const isOpen = await isHeldOpen(pipe);
    isKept = false;
    output.onDrain = () => {};
    if (isOpen) letGo(pipe);
    const said = await settle?.();
    if (said !== undefined && said !== '') output.add(Buffer.from(output.totalBytes === 0 ? said : `\n${said}`));
    await output.close();
    guard.release();
    return { exitCode, signal, hasLeftovers: isOpen || isGroupRunning(pid) };
  })();
  return { pid, exited, stop: (graceMs) => stopGroup(pid, graceMs) };
}

function spawned(argv: readonly string[], cwd: string, env: Readonly<Record<string, string>>): Promise<ChildProcess> {
  return new Promise((resolve, reject) => {
    const fail = (error: NodeJS.ErrnoException) => reject(startError(error, argv, { cwd, searchPath: env['PATH'] }));
    try {
      const [file, ...rest] = argv;
      const child = spawn(file!, rest, { cwd, env, detached: true, stdio: ['ignore', 'pipe', 'ignore'] });
      child.once('error', fail);
      child.once('spawn', () => resolve(child));
    } catch (error) {
      fail(error as NodeJS.ErrnoException);
    }
  });
}

function startError(
  error: NodeJS.ErrnoException,
  argv: readonly string[],
  place: Omit<FailedStart, 'command'>,
): ToolError {
  const bytes = argv.reduce((sum, word) => sum + Buffer.byteLength(word), 0);
  const hint =
    error.code === 'E2BIG'
      ? `the system takes no command of ${bytes} bytes. Write the text to a file and run that.`
      : explainStart(error, { command: argv[0] ?? '', ...place });
  return new ToolError(`The command could not be started: ${hint}`, { cause: error });
}

function exitOf(child: ChildProcess): Promise<{ exitCode: number | null; signal: NodeJS.Signals | null }> {
  if (child.exitCode !== null || child.signalCode !== null)
    return Promise.resolve({ exitCode: child.exitCode, signal: child.signalCode });
  return new Promise((resolve) => child.once('exit', (exitCode, signal) => resolve({ exitCode, signal })));
}

/**
 * Waits for the end of a pipe whose first owner is gone. True when it does not come: others still hold it. While nothing
 * is read, since what was read is not written down yet, nothing can be known of it.
 */
function isHeldOpen(pipe: Readable): Promise<boolean> {
  if (pipe.readableEnded || pipe.destroyed) return Promise.resolve(false);
  return new Promise((resolve) => {
    const settle = (isOpen: boolean) => {
      clearTimeout(quiet);
      clearTimeout(linger);
      pipe.off('data', onData);
      pipe.off('close', onClose);
      resolve(isOpen);
    };
    let bytes = 0;
    const onData = (chunk: Buffer) => {
      bytes += chunk.length;
      quiet.refresh();
    };
    const onClose = () => settle(false);
    const quiet = setTimeout(() => (pipe.isPaused() ? quiet.refresh() : settle(true)), QUIET_MS);
    const linger = setTimeout(
      () => (pipe.isPaused() && bytes < MOST_LEFT_BYTES ? linger.refresh() : settle(true)),
      LINGER_MS,
    );
    pipe.on('data', onData);
    pipe.on('close', onClose);
  });
}

function letGo(pipe: Readable): void {
  pipe.resume();
  if ('unref' in pipe && typeof pipe.unref === 'function') pipe.unref();
}
