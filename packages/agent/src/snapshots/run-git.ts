import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import type { Readable, Writable } from 'node:stream';
import { DragomanError } from '@dragoman/protocol';
import { explainStart } from '@dragoman/server/base';

/** One start of the git program. */
interface GitCommand {
  gitPath: string;
  args: readonly string[];
  cwd: string;
  env: NodeJS.ProcessEnv;
  timeLimitMs: number;
  input?: string | Buffer | undefined;
  signal?: AbortSignal | undefined;
  /** Learns the process as soon as it runs. */
  onStart?: ((pid: number) => void) | undefined;
}

/** What git printed, and how it ended. */
export interface GitOutput {
  code: number;
  stdout: Buffer;
  /** It had more to print than was asked for, and was stopped. */
  isCut: boolean;
}

/** Git ran and said that it could not. */
export class GitFailedError extends DragomanError {
  override readonly name = 'GitFailedError';
  readonly stderr: string;

  constructor(args: readonly string[], code: number | null, stderr: string) {
    const command = args.find((arg, at) => !arg.startsWith('-') && args[at - 1] !== '-c') ?? 'git';
    super('internal', `git ${command} ended with ${code ?? 'a signal'}: ${stderr.trim() || 'it said nothing'}`);
    this.stderr = stderr;
  }
}

const MAX_OUTPUT_BYTES = 256 * 1024 * 1024;
const MAX_STDERR_CHARS = 4_000;
/** A git that is asked to end takes its lock files with it; one that does not listen is killed. */
const GRACE_MS = 2_000;

/** Runs git to its end and gives what it printed. Any exit code that is not in `accept` throws. */
export async function runGit(
  command: GitCommand,
  { accept = [0], maxBytes = MAX_OUTPUT_BYTES }: { accept?: readonly number[]; maxBytes?: number } = {},
): Promise<GitOutput> {
  const running = startGit(command);
  const pieces: Buffer[] = [];
  let length = 0;
  running.stdout.on('data', (piece: Buffer) => {
    if (length <= maxBytes) pieces.push(piece);
    length += piece.length;
    if (length > maxBytes) running.stop();
  });
  const { code, stderr } = await running.ended;
  const isCut = length > maxBytes;
  if (!isCut && (code === null || !accept.includes(code))) throw new GitFailedError(command.args, code, stderr);
  return { code: code ?? 0, stdout: Buffer.concat(pieces).subarray(0, maxBytes), isCut };
}

/** A git that runs; `ended` rejects when it was cancelled, took too long or could not be started. */
export interface RunningGit {
  stdout: Readable;
  ended: Promise<{ code: number | null; stderr: string }>;
  stop(): void;
}

/** Starts git. Whoever reads `stdout` awaits `ended` too. */
export function startGit({ gitPath, args, cwd, env, timeLimitMs, input, signal, onStart }: GitCommand): RunningGit {
  if (signal?.aborted === true) throw new DragomanError('cancelled', 'The work on the snapshot was cancelled.');
  const child: ChildProcessByStdio<Writable, Readable, Readable> = spawn(gitPath, args, {
    cwd,
    env,
    stdio: ['pipe', 'pipe', 'pipe'],
    windowsHide: true,
  });
  if (child.pid !== undefined) onStart?.(child.pid);

  let stderr = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    if (stderr.length < MAX_STDERR_CHARS) stderr += text;
  });
  // Git may end before it has read everything; its exit code tells more than the broken pipe.
  child.stdin.on('error', () => {});
  child.stdin.end(input);

  let kill: NodeJS.Timeout | undefined;
  let isOver = false;
  const stop = () => {
    if (isOver) return;
    child.kill('SIGTERM');
    kill ??= setTimeout(() => child.kill('SIGKILL'), GRACE_MS);
  };
  let ending: DragomanError | undefined;
  const end = (error: DragomanError) => {
    ending ??= error;
    stop();
  };
  const onAbort = () => end(new DragomanError('cancelled', 'The work on the snapshot was cancelled.'));
  signal?.addEventListener('abort', onAbort, { once: true });
  const limit = setTimeout(
    () => end(new DragomanError('timed-out', `git took longer than ${timeLimitMs} ms.`)),
    timeLimitMs,
  );

  const ended = new Promise<{ code: number | null; stderr: string }>((resolve, reject) => {
    const settle = () => {
      isOver = true;
      clearTimeout(limit);
      clearTimeout(kill);
      signal?.removeEventListener('abort', onAbort);
    };
    child.once('error', (cause) => {
      settle();
      reject(cannotStart(cause, gitPath, cwd));
    });
    child.once('close', (code) => {
      settle();
      if (ending === undefined) resolve({ code, stderr });
      else reject(ending);
    });
  });
  return { stdout: child.stdout, ended, stop };
}

function cannotStart(cause: Error, gitPath: string, cwd: string): DragomanError {
  if (!existsSync(cwd)) return new DragomanError('not-found', `The folder ${cwd} is no longer there.`, { cause });
  const why = explainStart(cause, { command: gitPath, cwd, searchPath: process.env['PATH'] });
  return new DragomanError('unavailable', `${gitPath} could not be started: ${why}`, { cause });
}
