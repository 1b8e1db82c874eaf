import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, mkdirSync, openSync, readFileSync, statSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { DragomanError } from '@dragoman/protocol';
import { childEnvironment, type ServerEnvironment } from './child-environment.ts';
import type { ServerProgram } from './server-programs.ts';
import { serverWords } from './server-words.ts';

/** How a server is to be started. */
export interface StartOrder {
  environment: Omit<ServerEnvironment, 'isEditor'>;
  configurationFile: string;
  /** 0 picks a free one. */
  port: number;
  /** How long it stays after the last window has gone. */
  idleSeconds: number;
  signal: AbortSignal;
  limitMs?: number;
}

/** A start may wait for another server that is about to be ready, or to end. */
const LIMIT_MS = 90_000;
const MAX_LINE = 10_000;
const MAX_LOG = 5_000_000;
/** What the command line puts in front of what it says to people. */
const PREFIX = 'dragoman: ';

/** The file that a server writes its log to, for every window to read. */
export function logFile(home: string): string {
  return join(home, 'server.log');
}

/**
 * Starts a server that outlives this window, and waits for its one line. Where another window was quicker, the line
 * names that window's server.
 *
 * Its log goes to a file: a pipe would end with the window that happened to start it.
 */
export async function startServer(program: ServerProgram, order: StartOrder): Promise<{ url: string }> {
  const { home } = order.environment;
  const words = serverWords.now();
  const name = program.args.at(-1) ?? program.command;
  order.signal.throwIfAborted();
  const log = openLog(home);
  const logStart = statSync(logFile(home)).size;
  const child = spawn(
    program.command,
    [
      ...program.args,
      'serve',
      '--json',
      `--port=${order.port}`,
      `--config=${order.configurationFile}`,
      `--exit-when-idle=${order.idleSeconds}`,
    ],
    {
      cwd: home,
      env: childEnvironment(process.env, { ...order.environment, isEditor: program.isEditor }),
      // Windows ends the children of an extension host with it; these are to stay.
      detached: true,
      windowsHide: true,
      stdio: ['ignore', 'pipe', log],
    },
  );
  closeSync(log);
  try {
    const line = await firstLine(child, order, {
      ended: (code, why) => words.endedEarly(name, code, why ?? lastWords(home, logStart)),
      failed: (why) => words.notStarted(name, why),
      late: (seconds) => words.tooSlow(name, seconds),
    });
    return { url: readLine(line).url ?? fail(words.spokeOddly(name)) };
  } catch (error) {
    child.kill('SIGKILL');
    throw error;
  } finally {
    child.stdout?.destroy();
    child.unref();
  }
}

interface Complaints {
  /** With what it said on its one line, where it said why. */
  ended(code: string, why: string | undefined): string;
  failed(why: string): string;
  late(seconds: number): string;
}

function firstLine(
  child: ChildProcess,
  { signal, limitMs = LIMIT_MS }: StartOrder,
  complaints: Complaints,
): Promise<string> {
  const line = Promise.withResolvers<string>();
  const refuse = (sentence: string, cause?: unknown) =>
    line.reject(new DragomanError('unavailable', sentence, { cause }));
  const timer = setTimeout(() => refuse(complaints.late(limitMs / 1000)), limitMs);
  const callOff = () => refuse(serverWords.now().closed, signal.reason);
  const onError = (error: Error) => refuse(complaints.failed(error.message), error);
  let text = '';
  const onClose = (code: number | null, by: NodeJS.Signals | null) =>
    refuse(complaints.ended(String(code ?? by), readLine(text).error));
  const onData = (piece: string) => {
    text += piece;
    const end = text.indexOf('\n');
    const isError = end >= 0 && readLine(text).error !== undefined;
    if ((end >= 0 && !isError) || text.length > MAX_LINE) line.resolve(text.slice(0, end));
  };
  signal.addEventListener('abort', callOff, { once: true });
  child.on('error', onError).on('close', onClose);
  child.stdout?.setEncoding('utf8').on('data', onData);
  return line.promise.finally(() => {
    clearTimeout(timer);
    signal.removeEventListener('abort', callOff);
    child.off('close', onClose).stdout?.off('data', onData);
  });
}

/** The one line of a server: where it is, or why it is not. */
function readLine(line: string): { url?: string; error?: string } {
  try {
    const { url, error } = JSON.parse(line) as { url?: unknown; error?: unknown };
    return {
      ...(typeof url === 'string' && url.startsWith('http://') && { url }),
      ...(typeof error === 'string' && { error }),
    };
  } catch {
    return {};
  }
}

function fail(sentence: string): never {
  throw new DragomanError('unavailable', sentence);
}

function openLog(home: string): number {
  mkdirSync(home, { recursive: true, mode: 0o700 });
  const file = logFile(home);
  const log = openSync(file, 'a', 0o600);
  if (statSync(file).size > MAX_LOG) truncateSync(file);
  return log;
}

/** The last thing a server said for a person to read, with the lines that belong to it. */
function lastWords(home: string, from: number): string {
  const said = readFileSync(logFile(home)).subarray(from).toString();
  const start = said.lastIndexOf(PREFIX);
  return start < 0
    ? ''
    : said
        .slice(start + PREFIX.length)
        .trim()
        .replaceAll(/\s*\n\s*/g, ' ');
}
