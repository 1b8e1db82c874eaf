import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { DragomanError } from '@dragoman/protocol';
import {
  afterLastBytes,
  endMarked,
  guardChildGroup,
  guardMarked,
  LineReader,
  markEnvironment,
  newMark,
  readInTurns,
  searchPathOutside,
  signalChildGroup,
  START_PROBLEMS,
  startProblem,
} from '@dragoman/server/base';
import { withinLimit } from '../time-limit.ts';
import { agentEnvironment } from './agent-environment.ts';
import { missingProgram } from './find-command.ts';
import { FixableError } from './fixable-error.ts';
import { hideSecrets } from './hide-secrets.ts';

/** How long the child has after each request to go. */
const GRACE_MS = 3_000;
const STDERR_KEPT = 8_000;
/** Programs print a few things that do not belong there. One that goes on like this speaks another language. */
const MOST_STRANGE_LINES = 1_000;
const MOST_STRANGE_BYTES = 1024 * 1024;
/** A few lines may be long: each is a picture that was cut off, perhaps. */
const FEW_STRANGE_LINES = 10;

/** How to start an agent, and who listens to it. */
export interface ChildAgentOptions {
  command: readonly string[];
  cwd: string;
  /** Added to what is inherited; see `agentEnvironment`. */
  env?: Readonly<Record<string, string>>;
  /** How the command is installed: "npm install -g @google/gemini-cli". */
  installHint?: string | undefined;
  /**
   * Each line of its standard output, without its end. False says that it is none of the language that is spoken; an
   * agent that writes nothing else any more is ended.
   */
  onLine: (line: string) => boolean | void;
  /** Its standard output as it comes, for an agent that does not speak in lines. `onLine` is not called then. */
  onBytes?: (bytes: Buffer) => void;
  /** Each piece of its standard error, for a log. */
  onStderr?: (text: string) => void;
  /** Once, when it is gone: "exited with code 1". Not called when it could not be started. */
  onExit?: (ending: ChildEnding) => void;
  graceMs?: number;
}

/** How a child ended. */
export interface ChildEnding {
  code: number | null;
  signal: NodeJS.Signals | null;
  /** Whether it was asked to go. */
  wasStopped: boolean;
  /** In words, with the last it had to say: `exited with code 1: no such model`. */
  text: string;
}

/** An agent that runs as a child process. */
export interface ChildAgent {
  readonly pid: number;
  readonly isRunning: boolean;
  /** The last of its standard error. */
  readonly stderrTail: string;
  /** Resolves when it is gone. */
  readonly ended: Promise<ChildEnding>;
  /** Writes a line to its standard input. Resolves when there is room for another; rejects when it is gone. */
  write(line: string): Promise<void>;
  /** Ends its input, which is how some agents are asked to answer or to go. */
  closeInput(): void;
  /** Asks it to go, then makes it; everything it started goes with it. May be called more than once. */
  stop(): Promise<void>;
}

/**
 * Starts an agent as a child that leads a process group of its own. The group ends with it, and with us, however we end:
 * an agent that runs on with nobody to see it costs money. What left the group is known by its mark, and ends too.
 */
export async function startChildAgent(options: ChildAgentOptions): Promise<ChildAgent> {
  const mark = newMark();
  const letGo = guardMarked(mark);
  try {
    return superviseChild(await spawnChild(options, mark), options, mark);
  } finally {
    letGo();
  }
}

async function spawnChild(options: ChildAgentOptions, mark: string): Promise<ChildProcessWithoutNullStreams> {
  const [command = '', ...args] = options.command;
  let child: ChildProcessWithoutNullStreams;
  try {
    child = spawn(command, args, {
      cwd: options.cwd,
      env: { ...childEnvironment(options), ...markEnvironment(mark) },
      stdio: ['pipe', 'pipe', 'pipe'],
      detached: process.platform !== 'win32',
      windowsHide: true,
    });
  } catch (error) {
    throw startError(options, error as Error); // What cannot be handed to a program at all is thrown at once.
  }
  child.stdin.on('error', () => {}); // It no longer reads; `exit` tells the rest.
  await new Promise<void>((resolve, reject) => {
    child.once('spawn', resolve);
    child.once('error', (error) => reject(startError(options, error)));
  });
  return child;
}

function superviseChild(child: ChildProcessWithoutNullStreams, options: ChildAgentOptions, mark: string): ChildAgent {
  const pid = child.pid!;
  const letGo = guardChildGroup(pid, mark);
  const { promise: ended, resolve: end } = Promise.withResolvers<ChildEnding>();
  const hide = (text: string) => hideSecrets(text, Object.entries(options.env ?? {}));
  let stderr = '';
  let ending: ChildEnding | undefined;
  let isOver = false;
  let wasStopped = false;
  let stopping: Promise<void> | undefined;
  let complaint = '';
  let strange = { lines: 0, bytes: 0 };

  const giveUp = (why: string) => {
    // What it writes from now on is about its end.
    complaint = withLast(why, hide(stderr));
    output.drop();
    void stop();
  };
  const takeLine = (line: string) => {
    if (complaint !== '') return;
    const isUnderstood = options.onLine(line) !== false;
    strange = isUnderstood ? { lines: 0, bytes: 0 } : { lines: strange.lines + 1, bytes: strange.bytes + line.length };
    const { lines: count, bytes } = strange;
    if (count > MOST_STRANGE_LINES || (count > FEW_STRANGE_LINES && bytes > MOST_STRANGE_BYTES))
      giveUp(`wrote ${count} lines in a row that are not understood, the last of them: ${hide(line).slice(0, 200)}`);
  };
  const lines = new LineReader(takeLine, (length) => giveUp(`wrote a line of more than ${length} bytes`));
  const output = readInTurns(child.stdout, options.onBytes ?? ((bytes) => lines.push(bytes)));
  const finish = (code: number | null, signal: NodeJS.Signals | null) => {
    if (isOver) return;
    isOver = true;
    letGo();
    child.stdout.destroy();
    child.stderr.destroy();
    child.stdin.destroy();
    output.finish(() => {
      lines.end();
      ending = { code, signal, wasStopped, text: complaint || withLast(describeEnding(code, signal), hide(stderr)) };
      end(ending);
      options.onExit?.(ending);
    });
  };

  child.on('error', () => {}); // A signal that could not be sent.
  child.stdout.on('error', () => {});
  child.stderr.on('error', () => {});
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr = (stderr + text).slice(-STDERR_KEPT);
    options.onStderr?.(hide(text));
  });
  child.on('exit', (code, signal) => {
    // What it started may hold its output open; with all of that gone, the output ends too.
    signalChildGroup(pid, 'SIGKILL');
    endMarked(mark);
    afterLastBytes([child.stdout, child.stderr], () => finish(code, signal));
  });
  child.on('close', finish);

  function stop(): Promise<void> {
    wasStopped = true;
    stopping ??= (async () => {
      child.stdin.end();
      const graceMs = options.graceMs ?? GRACE_MS;
      for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
        if (ending !== undefined) return;
        signalChildGroup(pid, signal);
        await withinLimit('the agent', graceMs, () => ended).catch(() => {}); // The next signal is stronger.
      }
    })();
    return stopping;
  }

  return {
    pid,
    ended,
    stop,
    get isRunning() {
      return ending === undefined;
    },
    get stderrTail() {
      return hide(stderr);
    },
    async write(line) {
      if (ending !== undefined || !child.stdin.writable)
        throw new DragomanError(
          'unavailable',
          `"${options.command[0]}" ${ending?.text ?? 'no longer reads its input'}`,
        );
      if (child.stdin.write(`${line}\n`)) return;
      // An agent that ends without reading would keep us waiting for ever.
      await Promise.race([new Promise((resolve) => child.stdin.once('drain', resolve)), ended]);
    },
    closeInput() {
      child.stdin.end();
    },
  };
}

function describeEnding(code: number | null, signal: string | null): string {
  return signal === null ? `exited with code ${code}` : `was ended by ${signal}`;
}

function withLast(how: string, stderr: string): string {
  const last = stderr.trim().split('\n').slice(-3).join('\n');
  return last === '' ? how : `${how}: ${last}`;
}

function startError(options: ChildAgentOptions, error: Error): DragomanError {
  const {
    command: [command = ''],
    cwd,
  } = options;
  const problem = startProblem(error, { command, cwd, searchPath: childEnvironment(options)['PATH'] });
  switch (problem) {
    case 'folder-missing':
      return new DragomanError('not-found', `the folder ${cwd} is not there`, { cause: error });
    case 'folder-closed':
      return new DragomanError('unavailable', `the folder ${cwd} may not be entered`, { cause: error });
    case 'program-missing':
      return notInstalled(missingProgram(command), options.installHint, error);
    case 'not-executable':
      return new DragomanError('unavailable', `"${command}" may not be run; make it executable`, { cause: error });
    case 'interpreter-missing':
      return cannotStart(command, cwd, START_PROBLEMS[problem], error);
    case 'other':
  }
  const { code } = error as NodeJS.ErrnoException;
  if (code === 'E2BIG')
    return new DragomanError(
      'too-large',
      `what "${command}" is started with is too long: the longest of its arguments has ${Math.max(...options.command.map((word) => Buffer.byteLength(word)))} bytes`,
      { cause: error },
    );
  if (code === 'ERR_INVALID_ARG_VALUE' && options.command.some((word) => word.includes('\0')))
    return new DragomanError(
      'bad-request',
      `an argument of "${command}" has a NUL character in it, which no program can be given`,
      {
        cause: error,
      },
    );
  return cannotStart(command, cwd, error.message, error);
}

function cannotStart(command: string, cwd: string, why: string, cause: Error): DragomanError {
  return new DragomanError('unavailable', `"${command}" cannot be started in ${cwd}: ${why}`, { cause });
}

function notInstalled(missing: string, installHint: string | undefined, cause: Error): DragomanError {
  if (installHint !== undefined)
    return new FixableError('unavailable', `${missing}; install it with: ${installHint}`, installHint, { cause });
  return new DragomanError('unavailable', `${missing}; install it, or name its place in the configuration`, { cause });
}

/** Without the programs of the project: an agent is one of the person's own. */
function childEnvironment({ cwd, env }: ChildAgentOptions): Record<string, string> {
  const inherited = agentEnvironment(process.env);
  const { PATH } = inherited;
  return { ...inherited, ...(PATH === undefined ? {} : { PATH: searchPathOutside(PATH, cwd) }), ...env };
}
