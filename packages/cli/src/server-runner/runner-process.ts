import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { DragomanError } from '@dragoman/protocol';
import { openAgentsLog } from './agents-log.ts';
import { identifyProcess, isProcessAlive, ownEnvironment, type ProcessIdentity } from '@dragoman/server/base';

/** How a process ended. */
interface Exit {
  code: number | null;
  signal: string | null;
}

/** The process that hosts the agents of this machine. It outlives the server that started it. */
export interface RunnerProcess {
  pid: number;
  /** Where it writes what goes wrong. */
  logFile: string;
  /** Resolves when it has ended, with how where that is known: an earlier server's child tells nothing. */
  gone: Promise<Exit | undefined>;
  /** Ends it and its agents; what they did is handed over before, unless it does not respond. */
  end(): Promise<Ending>;
}

/** Whether a process ended when it was told to, or did not respond and was killed. */
export type Ending = 'ended' | 'killed';

/** How this program is started: Node, its options, and the file. */
export type ProgramCommand = readonly [string, ...string[]];

/** How the process is started. */
export interface StartOptions {
  program: ProgramCommand;
  /** What `dragoman server-runner` is given. */
  args: readonly string[];
  logFile: string;
  /** Lets go of the runner's folder, which the process takes next. */
  release: () => Promise<void>;
  /** Calls it off. */
  signal: AbortSignal;
}

/** What the process says on its way, and is told once. */
export const READY = 'ready';
export const GO = 'go';
export const OPEN = 'open';

const START_MS = 60_000;
/** Agents have some seconds to end, and the hub to hear of it. */
const END_MS = 20_000;
const KILLED_MS = 5_000;
const LOOK_MS = 100;

/**
 * Starts the process. It loads everything first; only then the folder is let go of, so that nobody is without the machine for
 * longer than a moment.
 */
export async function startRunnerProcess(options: StartOptions): Promise<RunnerProcess> {
  const { program, args, logFile, release, signal } = options;
  const [node, ...nodeArgs] = program;
  const log = openAgentsLog(logFile);
  const child = spawn(node, [...nodeArgs, 'server-runner', ...args], {
    // A signal to the server's group is not for it, and it needs no terminal.
    detached: true,
    windowsHide: true,
    stdio: ['ignore', log, log, 'ipc'],
    env: ownEnvironment(),
  });
  closeSync(log);
  const gone = new Promise<Exit>((resolve) => child.once('exit', (code, by) => resolve({ code, signal: by })));
  try {
    await heard(child, READY, options);
    await release();
    signal.throwIfAborted();
    child.send(GO, () => {}); // One that has ended is told as that.
    await heard(child, OPEN, options);
    const identity = identifyProcess(child.pid!);
    return { pid: identity.pid, logFile, gone, end: () => endProcess(identity, 'SIGTERM') };
  } catch (error) {
    child.kill('SIGKILL');
    throw error;
  } finally {
    // Nothing of it holds this process.
    if (child.connected) child.disconnect();
    child.unref();
  }
}

/** A process that an earlier server started. */
export function runnerProcess(identity: ProcessIdentity, logFile: string): RunnerProcess {
  return {
    pid: identity.pid,
    logFile,
    gone: untilGone(identity).then(() => undefined),
    end: () => endProcess(identity, 'SIGTERM'),
  };
}

/** The next word of a process that starts. */
async function heard(child: ChildProcess, word: string, { logFile, signal }: StartOptions): Promise<void> {
  signal.throwIfAborted();
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const fail = (why: string) =>
    reject(new DragomanError('unavailable', `the process for agents ${why}; see ${logFile}`, { isRetryable: true }));
  const hear = (message: unknown) => message === word && resolve();
  const failed = (error: Error) => fail(`could not be started (${error.message})`);
  const ended = (code: number | null, signal: string | null) =>
    fail(`ended while it started (${signal ?? `exit code ${code}`})`);
  const timer = setTimeout(() => fail(`did not start within ${START_MS / 1000} seconds`), START_MS);
  const calledOff = () => reject(signal.reason as Error);
  signal.addEventListener('abort', calledOff);
  child.on('message', hear).on('error', failed).on('exit', ended);
  try {
    await promise;
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', calledOff);
    child.off('message', hear).off('exit', ended);
  }
}

/**
 * Sends a process a signal to end it, unless it is about to, and waits until it has. One that does not respond is killed.
 * Another process that was given its number is left alone.
 */
export async function endProcess(
  identity: ProcessIdentity,
  signal: NodeJS.Signals | undefined,
  patienceMs = END_MS,
): Promise<Ending> {
  if (signal !== undefined) send(identity, signal);
  if (await isGoneWithin(identity, patienceMs)) return 'ended';
  send(identity, 'SIGKILL');
  if (await isGoneWithin(identity, KILLED_MS)) return 'killed';
  throw new DragomanError('timed-out', `Process ${identity.pid} could not be killed.`);
}

async function isGoneWithin(identity: ProcessIdentity, ms: number): Promise<boolean> {
  const until = performance.now() + ms;
  while (isProcessAlive(identity)) {
    if (performance.now() > until) return false;
    await delay(LOOK_MS);
  }
  return true;
}

async function untilGone(identity: ProcessIdentity): Promise<void> {
  while (isProcessAlive(identity)) await delay(LOOK_MS * 10, undefined, { ref: false });
}

function send(identity: ProcessIdentity, signal: NodeJS.Signals): void {
  try {
    if (isProcessAlive(identity)) process.kill(identity.pid, signal);
  } catch {
    // It has ended by itself.
  }
}
