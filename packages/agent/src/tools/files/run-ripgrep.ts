import { spawn } from 'node:child_process';
import { explainStart, withMemoryLimit } from '@dragoman/server/base';
import { ToolError } from '../tool.ts';

/** One run of ripgrep. */
export interface RipgrepRun {
  /** The program; the one that comes with us where none is given. */
  program?: string | undefined;
  args: readonly string[];
  cwd: string;
  abort: AbortSignal;
  /** Fires when it has had its time. */
  timeIsUp: AbortSignal;
  /** What ends a record of its output. */
  separator: '\0' | '\n';
  /** Takes a record; false when there were enough. */
  onRecord(record: string): boolean;
}

/** All was seen, enough was seen, or the time was up. What came before stays true in each case. */
export type RipgrepEnd = 'all' | 'enough' | 'time';

const KEPT_ERROR_BYTES = 4000;
/** The ignore files count everywhere, the files of git itself nowhere, and a person's own settings for rg do not. */
const COMMON_ARGS = ['--no-config', '--hidden', '--no-require-git', '--no-messages', '--color=never', '--glob=!.git'];

/** Runs ripgrep and hands on its records as they come. What it complains of, such as a bad pattern, is thrown. */
export async function runRipgrep(run: RipgrepRun): Promise<RipgrepEnd> {
  const program = run.program ?? (await ownProgram());
  if (run.abort.aborted) throw calledOff();
  if (run.args.some((arg) => arg.includes('\0'))) throw new ToolError('A search cannot look for a NUL character.');
  const child = spawn(...withMemoryLimit(program, [...COMMON_ARGS, ...run.args]), {
    cwd: run.cwd,
    stdio: ['ignore', 'pipe', 'pipe'],
    windowsHide: true,
  });
  return new Promise((resolve, reject) => {
    let end: RipgrepEnd = 'all';
    let failure: Error | undefined;
    let rest = '';
    let complaint = '';
    const stop = () => {
      child.kill('SIGKILL');
      // Whoever else holds the pipes does not keep us waiting.
      child.stdout.destroy();
      child.stderr.destroy();
    };
    const onAbort = () => {
      failure = calledOff();
      stop();
    };
    const onTime = () => {
      if (end === 'all') end = 'time';
      stop();
    };
    if (run.timeIsUp.aborted) onTime();
    run.timeIsUp.addEventListener('abort', onTime, { once: true });
    run.abort.addEventListener('abort', onAbort, { once: true });

    child.stdout.setEncoding('utf8');
    child.stdout.on('data', (text: string) => {
      if (end !== 'all' || failure !== undefined) return;
      const records = (rest + text).split(run.separator);
      rest = records.pop() ?? '';
      for (const record of records) {
        if (run.onRecord(record)) continue;
        end = 'enough';
        stop();
        return;
      }
    });
    child.stderr.setEncoding('utf8');
    child.stderr.on('data', (text: string) => (complaint = (complaint + text).slice(0, KEPT_ERROR_BYTES)));
    child.on('error', (error) => {
      const why = explainStart(error, { command: program, cwd: run.cwd, searchPath: process.env['PATH'] });
      failure ??= new ToolError(`ripgrep, which searches files, could not be started: ${why}`, { cause: error });
    });
    child.on('close', (code, signal) => {
      run.timeIsUp.removeEventListener('abort', onTime);
      run.abort.removeEventListener('abort', onAbort);
      if (failure !== undefined) reject(failure);
      else if (end === 'all' && signal !== null)
        reject(
          new ToolError('The search used too much memory; a .gitignore or .ignore of the project may be too large.'),
        );
      else if (end === 'all' && code !== 0 && code !== 1 && (code !== 2 || complaint.trim() !== ''))
        reject(new ToolError(complaint.trim().replace(/^rg: /, '') || `ripgrep ended with code ${code}.`));
      else resolve(end);
    });
  });
}

function calledOff(): ToolError {
  return new ToolError('The search was cancelled.');
}

async function ownProgram(): Promise<string> {
  try {
    const { rgPath } = await import('@vscode/ripgrep');
    return rgPath;
  } catch (error) {
    throw new ToolError(
      `ripgrep, which searches files, is not installed for this machine: ${(error as Error).message}`,
      {
        cause: error,
      },
    );
  }
}
