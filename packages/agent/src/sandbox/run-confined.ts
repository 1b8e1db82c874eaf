import { spawn } from 'node:child_process';
import type { Readable } from 'node:stream';
import { namespaceUsage } from './namespace-usage.ts';

/** Why a run was ended, where it did not end by itself. */
type EndedBy = 'timeout' | 'memory' | 'processes' | 'output' | 'abort';

/** How much a run may use. */
export interface Limits {
  timeoutMs: number;
  memoryBytes: number;
  maxProcesses: number;
  /** Of stdout and stderr together. */
  maxOutputBytes: number;
}

/** What came of a run. */
export interface SandboxResult {
  /** Null when it was ended. */
  exitCode: number | null;
  stdout: string;
  stderr: string;
  endedBy?: EndedBy;
  /** The same in words, with the number: `memory: used more than 256 MB`. */
  reason?: string;
}

/** How often a sandbox is looked into. Between two looks the limits of the kernel hold, which are wider. */
const LOOK_EVERY_MS = 50;
/** How long bubblewrap has to end by itself once everything in it was killed. */
const LAST_RESORT_MS = 2000;

/**
 * Runs bubblewrap, watches what is inside, and ends all of it when it is too much.
 *
 * The kernel's own limits cannot do this alone: they count per process, V8 reserves far more than it uses, and root is not
 * bound by the number of processes. The first process of the sandbox is killed from outside, and the kernel takes the rest
 * of its namespace with it. `hasStarted` is false when the sandbox could not be made; `stderr` has why.
 */
export function runConfined(
  command: readonly string[],
  { input, abort, ...limits }: Limits & { input?: string; abort: AbortSignal },
): Promise<SandboxResult & { hasStarted: boolean }> {
  if (abort.aborted) {
    const calledOff = {
      exitCode: null,
      stdout: '',
      stderr: '',
      endedBy: 'abort',
      reason: inWords('abort', limits),
    } as const;
    return Promise.resolve({ ...calledOff, hasStarted: true });
  }
  return new Promise((resolve, reject) => {
    const [program, ...rest] = command as [string, ...string[]];
    const child = spawn(program, rest, { stdio: ['pipe', 'pipe', 'pipe', 'pipe'], env: {}, detached: true });
    const stdout: Buffer[] = [];
    const stderr: Buffer[] = [];
    let outputBytes = 0;
    let status = '';
    let endedBy: EndedBy | undefined;
    let lastResort: NodeJS.Timeout | undefined;

    const end = (reason: EndedBy) => {
      endedBy ??= reason;
      // Bubblewrap sees its child end and ends too. Once it said so, the number may be somebody else's.
      if (exitCodeIn(status) === undefined) kill(firstPid(status));
      lastResort ??= setTimeout(() => child.pid !== undefined && kill(-child.pid), LAST_RESORT_MS);
    };
    const look = () => {
      const pid = firstPid(status);
      const usage = pid === undefined ? undefined : namespaceUsage(pid, limits.maxProcesses);
      if (usage === undefined) return;
      if (usage.processes > limits.maxProcesses) end('processes');
      else if (usage.bytes > limits.memoryBytes) end('memory');
    };
    const collect = (chunks: Buffer[]) => (chunk: Buffer) => {
      if (outputBytes > limits.maxOutputBytes) return;
      chunks.push(chunk.subarray(0, limits.maxOutputBytes - outputBytes));
      outputBytes += chunk.length;
      if (outputBytes > limits.maxOutputBytes) end('output');
    };

    const watch = setInterval(look, LOOK_EVERY_MS);
    const timer = setTimeout(end, limits.timeoutMs, 'timeout');
    const callOff = () => end('abort');
    abort.addEventListener('abort', callOff, { once: true });
    const settle = () => {
      clearTimeout(lastResort);
      clearInterval(watch);
      clearTimeout(timer);
      abort.removeEventListener('abort', callOff);
    };

    child.stdout.on('data', collect(stdout));
    child.stderr.on('data', collect(stderr));
    (child.stdio[3] as Readable).setEncoding('utf8').on('data', (text: string) => {
      status += text;
      if (endedBy !== undefined) end(endedBy);
    });
    // A script need not read what it is told.
    child.stdin.on('error', () => {});
    child.stdin.end(input ?? '');
    child.on('error', (error) => {
      settle();
      reject(error);
    });
    child.on('close', (code) => {
      settle();
      const errors = Buffer.concat(stderr).toString('utf8');
      const exitCode = exitCodeIn(status);
      if (endedBy === undefined && exitCode !== undefined && exitCode !== 0) endedBy = endedByItself(errors);
      resolve({
        exitCode: endedBy === undefined ? (exitCode ?? code) : null,
        stdout: Buffer.concat(stdout).toString('utf8'),
        stderr: errors,
        ...(endedBy === undefined ? {} : { endedBy, reason: inWords(endedBy, limits) }),
        hasStarted: endedBy !== undefined || exitCode !== undefined,
      });
    });
  });
}

/** Why a run was ended, in words and with the number. */
function inWords(endedBy: EndedBy, limits: Limits): string {
  switch (endedBy) {
    case 'timeout':
      return `time: ran longer than ${limits.timeoutMs / 1000} s`;
    case 'memory':
      return `memory: used more than ${megabytes(limits.memoryBytes)} MB`;
    case 'processes':
      return `too many processes: more than ${limits.maxProcesses} at once`;
    case 'output':
      return `output: printed more than ${megabytes(limits.maxOutputBytes)} MB`;
    case 'abort':
      return 'cancelled';
  }
}

/** Bubblewrap says who the first process is as soon as there is one. */
function firstPid(status: string): number | undefined {
  const pid = /"child-pid": (\d+)/.exec(status)?.[1];
  return pid === undefined ? undefined : Number(pid);
}

/** And how the command ended, if it ever began. */
function exitCodeIn(status: string): number | undefined {
  const code = /"exit-code": (\d+)/.exec(status)?.[1];
  return code === undefined ? undefined : Number(code);
}

function kill(pid: number | undefined): void {
  if (pid === undefined) return;
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It is gone already.
  }
}

/** A program that met a limit of the kernel, or V8's own, before we looked ends itself with these words. */
function endedByItself(stderr: string): EndedBy | undefined {
  if (OUT_OF_MEMORY.test(stderr)) return 'memory';
  return OUT_OF_PROCESSES.test(stderr) ? 'processes' : undefined;
}

const OUT_OF_MEMORY =
  /JavaScript heap out of memory|Array buffer allocation failed|std::bad_alloc|\bENOMEM\b|\bMemoryError\b|\bENOSPC\b/;
const OUT_OF_PROCESSES = /\bspawn\w* \S+ EAGAIN\b|Cannot fork|fork: (?:retry: )?Resource temporarily unavailable/;

function megabytes(bytes: number): number {
  return Math.round((bytes / 2 ** 20) * 10) / 10;
}
