import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { DragomanError } from '@dragoman/protocol';
import { afterLastBytes, guardChildGroup, signalChildGroup } from '@dragoman/server/base';

/** One start of git. */
export interface GitRun {
  args: readonly string[];
  cwd: string;
  /** Whole; see `gitEnvironment`. */
  env: Readonly<Record<string, string>>;
  limitMs: number;
  signal?: AbortSignal | undefined;
  /** What it reads from its standard input. */
  input?: string | undefined;
  /** More than this is not kept, and git is stopped. */
  maxBytes?: number | undefined;
  /** Exit codes that are no failure. */
  accept?: readonly number[] | undefined;
}

/** What git printed. */
export interface GitOutput {
  stdout: Buffer;
  /** It had more to print than was asked for. */
  isCut: boolean;
}

/** Git ran and said that it could not. */
export class GitFailedError extends DragomanError {
  override readonly name = 'GitFailedError';
  /** All that it said, on either stream. */
  readonly said: string;

  constructor(command: string, code: number | null, said: string) {
    const isBusy = /Unable to create '.*\.lock': File exists/.test(said);
    const text =
      said.replace(QUOTED_LINE, '$1') || `git ${command} ended with ${code === null ? 'a signal' : `code ${code}`}`;
    super(
      isBusy ? 'conflict' : 'bad-request',
      isBusy ? 'another Git process is using this repository; try again in a moment' : text,
      { isRetryable: isBusy },
    );
    this.said = said;
  }
}

/** Behind it stands what a file says that is none of git's: a link may have led there. */
const QUOTED_LINE = /^(fatal: unexpected line in .*?): .*$/m;
const MAX_OUTPUT_BYTES = 32 * 1024 * 1024;
const MAX_SAID_CHARS = 4_000;
/** A git that is asked to end takes its lock files with it; one that does not listen is killed. */
const GRACE_MS = 2_000;

/**
 * Runs git to its end, in a process group of its own: filters and hooks end with it when time is up, and with us.
 * What it prints beyond a limit is cut off; any other end than a good one rejects.
 */
export async function runGit(run: GitRun): Promise<GitOutput> {
  const { args, cwd, limitMs, signal, input, maxBytes = MAX_OUTPUT_BYTES, accept = [0] } = run;
  const command = args.find((arg) => !arg.startsWith('-')) ?? '';
  if (signal?.aborted === true) throw calledOff();
  const child = start(run);
  const { promise: ended, resolve, reject } = Promise.withResolvers<number | null>();
  ended.catch(() => {}); // It may end before anybody waits.
  const { pid } = child;
  const letGo = pid === undefined ? () => {} : guardChildGroup(pid);
  let kill: NodeJS.Timeout | undefined;
  const stop = () => {
    if (pid === undefined || kill !== undefined) return;
    signalChildGroup(pid, 'SIGTERM');
    kill = setTimeout(() => signalChildGroup(pid, 'SIGKILL'), GRACE_MS);
  };
  let why: DragomanError | undefined;
  const end = (error: DragomanError) => {
    why ??= error;
    stop();
  };
  const onAbort = () => end(calledOff());
  const late = `git ${command} in ${cwd} took longer than ${limitMs / 1000} s`;
  const limit = setTimeout(() => end(new DragomanError('timed-out', late, { isRetryable: true })), limitMs);
  signal?.addEventListener('abort', onAbort, { once: true });

  const pieces: Buffer[] = [];
  let length = 0;
  let said = '';
  child.stdout.on('data', (piece: Buffer) => {
    if (length <= maxBytes) pieces.push(piece);
    length += piece.length;
    if (length > maxBytes) stop();
  });
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    said = (said + text).slice(-MAX_SAID_CHARS);
  });
  child.stdin.on('error', () => {}); // Git may end before it has read everything; its exit code tells more.
  child.stdin.end(input);
  child.once('error', (cause) => reject(cannotStart(cwd, cause)));
  child.once('exit', (code) => {
    if (kill !== undefined) signalChildGroup(pid!, 'SIGKILL'); // What it started may not have listened.
    // A hook may leave something behind that holds the output open.
    afterLastBytes([child.stdout, child.stderr], () => resolve(code));
  });
  child.once('close', (code) => resolve(code));

  try {
    const code = await ended;
    if (why !== undefined) throw why;
    const isCut = length > maxBytes;
    if (!isCut && (code === null || !accept.includes(code))) {
      const printed = Buffer.concat(pieces).subarray(0, MAX_SAID_CHARS).toString('utf8');
      throw new GitFailedError(command, code, said.trim() || printed.trim());
    }
    return { stdout: Buffer.concat(pieces).subarray(0, maxBytes), isCut };
  } finally {
    clearTimeout(limit);
    clearTimeout(kill);
    signal?.removeEventListener('abort', onAbort);
    child.stdout.destroy();
    child.stderr.destroy();
    letGo();
  }
}

function start({ args, cwd, env }: GitRun): ChildProcessWithoutNullStreams {
  try {
    return spawn('git', args, {
      cwd,
      env,
      stdio: ['pipe', 'pipe', 'pipe'],
      detached: process.platform !== 'win32',
      windowsHide: true,
    });
  } catch (error) {
    throw cannotStart(cwd, error as Error); // What cannot be handed to a program at all is thrown at once.
  }
}

function calledOff(): DragomanError {
  return new DragomanError('cancelled', 'the call was cancelled');
}

function cannotStart(cwd: string, cause: Error): DragomanError {
  const isTooMuch = (cause as NodeJS.ErrnoException).code === 'E2BIG';
  const text = isTooMuch
    ? `git cannot be run in ${cwd}: the configuration of the repository is too long`
    : `git cannot be run in ${cwd}; see that git is installed and the folder is there`;
  return new DragomanError('unavailable', text, { cause });
}
