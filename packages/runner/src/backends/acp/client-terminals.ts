import { type ChildProcess, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { isAbsolute } from 'node:path';
import { StringDecoder } from 'node:string_decoder';
import { setTimeout as delay } from 'node:timers/promises';
import type { TerminalExitStatus, TerminalOutputResponse } from '@agentclientprotocol/sdk';
import {
  afterLastBytes,
  endMarked,
  explainStart,
  guardChildGroup,
  guardMarked,
  markEnvironment,
  newMark,
  signalChildGroup,
} from '@dragoman/server/base';
import { agentEnvironment } from '../../backend/agent-environment.ts';
import { countIn, type Fields, listIn, textIn, textsIn } from '../../backend/fields.ts';
import { JsonRpcError } from '../../backend/json-rpc.ts';

const INVALID_PARAMS = -32_602;
const NOT_FOUND = -32_002;
const MOST_TERMINALS = 64;
const DEFAULT_OUTPUT = 1024 * 1024;
const MOST_OUTPUT = 4 * 1024 * 1024;
const GRACE_MS = 2_000;

interface Terminal {
  child: ChildProcess;
  output: string;
  isCut: boolean;
  byteLimit: number;
  exit: TerminalExitStatus | undefined;
  exited: Promise<TerminalExitStatus>;
  isReleased: boolean;
  followers: Set<(text: string) => void>;
  letGo: () => void;
}

/**
 * Commands that the agent runs through us, so that their output is seen as it comes.
 *
 * Each leads a group of its own that ends with its release, with the session and with us. What left the group is known by
 * its mark, and ends with the session and with us too. Of the output the end is kept.
 */
export class ClientTerminals {
  readonly #cwd: string;
  readonly #env: Readonly<Record<string, string>>;
  readonly #terminals = new Map<string, Terminal>();
  readonly #mark = newMark();
  #letGo: (() => void) | undefined;
  #isOver = false;

  constructor(cwd: string, env: Readonly<Record<string, string>> = {}) {
    this.#cwd = cwd;
    this.#env = env;
  }

  /** Starts a command. A command line without arguments of its own is for a shell. */
  async create(params: Fields): Promise<{ terminalId: string }> {
    const command = textIn(params, 'command');
    if (command === undefined) throw new JsonRpcError(INVALID_PARAMS, '"command" is missing');
    this.#makeRoom();
    const args = textsIn(params, 'args');
    const cwd = textIn(params, 'cwd') ?? this.#cwd;
    if (!isAbsolute(cwd) || !existsSync(cwd)) throw new JsonRpcError(INVALID_PARAMS, `there is no folder ${cwd}`);
    const variables = listIn(params, 'env').map(
      (each) => [textIn(each, 'name') ?? '', textIn(each, 'value') ?? ''] as const,
    );
    const env: Record<string, string> = {
      ...agentEnvironment(process.env),
      ...this.#env,
      ...Object.fromEntries(variables.filter(([name]) => name !== '')),
      ...markEnvironment(this.#mark),
    };
    this.#letGo ??= guardMarked(this.#mark);
    const isLine = args.length === 0 && /[\s;&|<>$`"'*]/.test(command);
    const child = spawn(command, args, {
      cwd,
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: process.platform !== 'win32',
      windowsHide: true,
      shell: isLine,
    });
    await new Promise<void>((resolve, reject) => {
      child.once('spawn', resolve);
      child.once('error', (error) => {
        const why = explainStart(error, { command: isLine ? '/bin/sh' : command, cwd, searchPath: env['PATH'] });
        reject(new JsonRpcError(INVALID_PARAMS, `"${command}" cannot be started: ${why}`));
      });
    });
    const terminalId = `term_${randomUUID()}`;
    const terminal = watch(child, Math.min(countIn(params, 'outputByteLimit') ?? DEFAULT_OUTPUT, MOST_OUTPUT));
    this.#terminals.set(terminalId, terminal);
    if (this.#isOver) await this.endAll();
    return { terminalId };
  }

  /** What was printed so far, and how it ended where it did. */
  output(params: Fields): TerminalOutputResponse {
    const { output, exit, ...terminal } = this.#find(params);
    const kept = lastBytes(output, terminal.byteLimit);
    return {
      output: kept,
      truncated: terminal.isCut || kept.length < output.length,
      ...(exit === undefined ? {} : { exitStatus: exit }),
    };
  }

  /** Waits for the end of the command, or of the connection. */
  async waitForExit(params: Fields, signal: AbortSignal): Promise<TerminalExitStatus> {
    const { exited } = this.#find(params);
    const gone = Promise.withResolvers<never>();
    const onAbort = () => gone.reject(new JsonRpcError(NOT_FOUND, 'the session ended'));
    signal.addEventListener('abort', onAbort, { once: true });
    try {
      return await Promise.race([exited, gone.promise]);
    } finally {
      signal.removeEventListener('abort', onAbort);
    }
  }

  /** Ends the command; its output can still be read. */
  async kill(params: Fields): Promise<object> {
    await endTerminal(this.#find(params));
    return {};
  }

  /** Ends the command, if it still runs, and lets the agent use its id no more. */
  async release(params: Fields): Promise<object> {
    const terminal = this.#find(params);
    terminal.isReleased = true;
    await endTerminal(terminal);
    return {};
  }

  /** Tells what is printed, from the beginning. The function given back ends it. */
  follow(terminalId: string, onText: (text: string) => void): () => void {
    const terminal = this.#terminals.get(terminalId);
    if (terminal === undefined) return () => {};
    if (terminal.output !== '') onText(terminal.output);
    terminal.followers.add(onText);
    return () => terminal.followers.delete(onText);
  }

  /** What a command printed, also after its release. */
  outputOf(terminalId: string): string | undefined {
    const terminal = this.#terminals.get(terminalId);
    return terminal && lastBytes(terminal.output, terminal.byteLimit);
  }

  /** Ends every command, with everything it started. */
  async endAll(): Promise<void> {
    this.#isOver = true;
    const terminals = [...this.#terminals.values()];
    this.#terminals.clear();
    await Promise.all(terminals.map(endTerminal));
    endMarked(this.#mark);
    this.#letGo?.();
    this.#letGo = undefined;
  }

  #find(params: Fields): Terminal {
    const id = textIn(params, 'terminalId') ?? '';
    const terminal = this.#terminals.get(id);
    if (terminal === undefined || terminal.isReleased)
      throw new JsonRpcError(NOT_FOUND, `there is no terminal "${id}"`);
    return terminal;
  }

  /** The output of released terminals is kept while there is room. */
  #makeRoom(): void {
    for (const [id, terminal] of this.#terminals) {
      if (this.#terminals.size < MOST_TERMINALS) return;
      if (terminal.isReleased) this.#terminals.delete(id);
    }
    if (this.#terminals.size >= MOST_TERMINALS)
      throw new JsonRpcError(INVALID_PARAMS, `${MOST_TERMINALS} terminals are open; release one first`);
  }
}

function watch(child: ChildProcess, byteLimit: number): Terminal {
  const { promise: exited, resolve } = Promise.withResolvers<TerminalExitStatus>();
  const terminal: Terminal = {
    child,
    output: '',
    isCut: false,
    byteLimit,
    exit: undefined,
    exited,
    isReleased: false,
    followers: new Set(),
    letGo: guardChildGroup(child.pid!),
  };
  for (const stream of [child.stdout!, child.stderr!]) {
    const decoder = new StringDecoder('utf8');
    stream.on('error', () => {});
    stream.on('data', (bytes: Buffer) => {
      const text = decoder.write(bytes);
      terminal.output += text;
      if (terminal.output.length > 2 * byteLimit + 1024) {
        terminal.output = terminal.output.slice(-byteLimit - 1);
        terminal.isCut = true;
      }
      for (const follow of terminal.followers) follow(text);
    });
  }
  const end = (exitCode: number | null, signal: NodeJS.Signals | null) => {
    terminal.exit ??= { exitCode, signal };
    resolve(terminal.exit);
  };
  child.on('error', () => {}); // A signal that could not be sent.
  // What the command left running may hold its output open; its exit is told without it.
  child.on('exit', (code, signal) => afterLastBytes([child.stdout!, child.stderr!], () => end(code, signal)));
  child.on('close', (code, signal) => {
    end(code, signal);
    if (!hasMembers(child.pid!)) terminal.letGo();
  });
  return terminal;
}

/** Ends what the command still has running. */
async function endTerminal(terminal: Terminal): Promise<void> {
  const pid = terminal.child.pid!;
  for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
    const isLeaderGone = terminal.exit !== undefined;
    if (isLeaderGone && !hasMembers(pid)) break;
    signalChildGroup(pid, isLeaderGone ? 'SIGKILL' : signal);
    await Promise.race([terminal.exited, delay(GRACE_MS, undefined, { ref: false })]);
  }
  terminal.letGo();
  terminal.child.stdout?.destroy();
  terminal.child.stderr?.destroy();
}

function hasMembers(pid: number): boolean {
  try {
    return process.kill(process.platform === 'win32' ? pid : -pid, 0);
  } catch {
    return false;
  }
}

/** The end of a text that fits, cut between characters. */
function lastBytes(text: string, limit: number): string {
  const bytes = Buffer.from(text);
  if (bytes.length <= limit) return text;
  let from = bytes.length - limit;
  while (from < bytes.length && (bytes[from]! & 0xc0) === 0x80) from++;
  return bytes.toString('utf8', from);
}
