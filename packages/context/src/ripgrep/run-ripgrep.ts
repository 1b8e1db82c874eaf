import { spawn } from 'node:child_process';
import { DragomanError } from '@dragoman/protocol/error';
import { startProblem, withMemoryLimit } from '@dragoman/server/base';

const TIME_LIMIT_MS = 120_000;
/** More than anyone reads; a word that stands everywhere in a large code base would fill the memory. */
const MAX_OUTPUT_BYTES = 1_000_000;

export type RipgrepResult =
  | { outcome: 'matches'; lines: string[]; isCut: boolean }
  | { outcome: 'no-matches' | 'not-installed' | 'failed' };

export interface RipgrepRun {
  token: string;
  /** Where it searches, and what paths are relative to. */
  root: string;
  rgPath: string;
  signal?: AbortSignal;
  /** Makes the signal that ends a search which lasts too long. */
  timeLimit?: (ms: number) => AbortSignal;
}

/**
 * Searches all files below a folder for one text, taken literally.
 *
 * A search that cannot be done is a result, because the others still can. Only being called off throws.
 */
export async function runRipgrep({
  token,
  root,
  rgPath,
  signal,
  timeLimit = AbortSignal.timeout,
}: RipgrepRun): Promise<RipgrepResult> {
  throwIfCancelled(signal);
  const args = ['-n', '--no-heading', '--color=never', '-F', '--max-count', '40', '--', token, '.'];
  const ended = await collect(rgPath, args, root, [
    timeLimit(TIME_LIMIT_MS),
    ...(signal === undefined ? [] : [signal]),
  ]);
  throwIfCancelled(signal);

  if (ended.error !== undefined) {
    const problem = startProblem(ended.error, { command: rgPath, cwd: root, searchPath: process.env['PATH'] });
    return { outcome: problem === 'program-missing' ? 'not-installed' : 'failed' };
  }
  if (ended.code === 1) return { outcome: 'no-matches' };
  if (ended.code !== 0 && !ended.isFull) return { outcome: 'failed' };
  const lines = toLines(ended.output, ended.isFull);
  return lines.length === 0 ? { outcome: 'no-matches' } : { outcome: 'matches', lines, isCut: ended.isFull };
}

interface Ended {
  error?: Error;
  code?: number | null;
  output: Buffer;
  /** It had more to say than is kept, and was stopped. */
  isFull: boolean;
}

function collect(rgPath: string, args: string[], cwd: string, ends: AbortSignal[]): Promise<Ended> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const finish = (ended: Pick<Ended, 'error' | 'code'>) => {
      for (const end of ends) end.removeEventListener('abort', kill);
      const output = Buffer.concat(chunks).subarray(0, MAX_OUTPUT_BYTES);
      resolve({ ...ended, output, isFull: size > MAX_OUTPUT_BYTES });
    };
    const child = start(rgPath, args, cwd);
    if (child instanceof Error) {
      resolve({ error: child, output: Buffer.alloc(0), isFull: false });
      return;
    }
    const kill = () => {
      child.kill('SIGKILL');
      // Whoever else holds the pipe does not keep us waiting.
      child.stdout.destroy();
    };
    for (const end of ends) {
      if (end.aborted) kill();
      else end.addEventListener('abort', kill, { once: true });
    }
    child.stdout.on('data', (chunk: Buffer) => {
      chunks.push(chunk);
      size += chunk.length;
      if (size > MAX_OUTPUT_BYTES) kill();
    });
    child.on('error', (error) => finish({ error }));
    child.on('close', (code) => finish({ code }));
  });
}

function start(rgPath: string, args: string[], cwd: string) {
  // A person's own settings for rg would change what is printed.
  const { RIPGREP_CONFIG_PATH: _, ...env } = process.env;
  try {
    return spawn(...withMemoryLimit(rgPath, args), {
      cwd,
      env,
      stdio: ['ignore', 'pipe', 'ignore'],
      windowsHide: true,
    });
  } catch (error) {
    // An argument that no process can be given, such as one with a NUL in it.
    return error as Error;
  }
}

function toLines(output: Buffer, isFull: boolean): string[] {
  const text = output.toString('utf8');
  const whole = isFull ? text.slice(0, text.lastIndexOf('\n') + 1) : text;
  const trimmed = whole.trim();
  // Given a dot to search in, rg begins every path with it.
  return trimmed === '' ? [] : trimmed.split('\n').map((line) => line.replace(/^\.[\\/]/, ''));
}

function throwIfCancelled(signal: AbortSignal | undefined): void {
  if (signal?.aborted === true)
    throw new DragomanError('cancelled', 'The search was cancelled.', { cause: signal.reason });
}
