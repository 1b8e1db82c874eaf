import { type ChildProcess, spawn } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';
import {
  deserializeMessage,
  type JSONRPCMessage,
  serializeMessage,
  type Transport,
} from '@modelcontextprotocol/client';
import { getDefaultEnvironment } from '@modelcontextprotocol/client/stdio';
import {
  afterLastBytes,
  endMarked,
  explainStart,
  guardChildGroup,
  guardMarked,
  LineReader,
  markEnvironment,
  newMark,
  readInTurns,
  searchPathOutside,
  signalChildGroup,
  type TurnReader,
} from '@dragoman/server/base';

const LONGEST_MESSAGE = 32 * 1024 * 1024;
/** A server may say a word of greeting; one that says so many speaks something else. */
const MOST_FOREIGN_LINES = 1000;
const STDERR_KEPT = 2000;
const CLOSE_STEP_MS = 1500;

/** What a server is started with beside the little the library lets through; keys and tokens of ours are not in it. */
const INHERITED = (
  'LANG LANGUAGE LC_ALL LC_CTYPE TZ TMPDIR XDG_CACHE_HOME XDG_CONFIG_HOME XDG_DATA_HOME XDG_RUNTIME_DIR ' +
  'HTTP_PROXY HTTPS_PROXY NO_PROXY http_proxy https_proxy no_proxy ' +
  'NODE_EXTRA_CA_CERTS SSL_CERT_FILE SSL_CERT_DIR DOCKER_HOST'
).split(' ');

/** How to start a server. */
export interface StdioServer {
  command: readonly string[];
  env: Readonly<Record<string, string>>;
  cwd: string;
  /** A project whose programs are not looked at when the command is looked for, nor by what it starts. */
  outside?: string | undefined;
}

/**
 * A server as a child process: messages are lines on its standard input and output.
 *
 * The library's own transport ends only the process it started. Here the child leads a group, and the group is ended
 * with it, and so is what left the group and still has its mark: nothing it started stays behind.
 */
export class StdioTransport implements Transport {
  onclose?: (() => void) | undefined;
  onerror?: ((error: Error) => void) | undefined;
  onmessage?: Transport['onmessage'];

  readonly #server: StdioServer;
  readonly #onStderr: (text: string) => void;
  readonly #mark = newMark();
  readonly #lines = new LineReader(
    (line) => this.#receive(line),
    () => this.#giveUp(`wrote a line of more than ${LONGEST_MESSAGE} bytes`),
    LONGEST_MESSAGE,
  );
  #foreignLines = 0;
  #reader: TurnReader | undefined;
  #child: ChildProcess | undefined;
  #letGo: (() => void) | undefined;
  #closed = Promise.withResolvers<void>();
  #isClosed = false;
  #stderr = '';
  #ending: string | undefined;

  constructor(server: StdioServer, onStderr: (text: string) => void = () => {}) {
    this.#server = server;
    this.#onStderr = onStderr;
  }

  /** How the process ended, with the last it had to say; nothing while it runs. */
  get ending(): string | undefined {
    const last = this.#stderr.trim().split('\n').slice(-3).join('\n');
    return this.#ending === undefined || last === '' ? this.#ending : `${this.#ending}: ${last}`;
  }

  get pid(): number | undefined {
    return this.#child?.pid;
  }

  async start(): Promise<void> {
    const letGo = guardMarked(this.#mark);
    try {
      this.#letGo = guardChildGroup(await this.#spawn(), this.#mark);
    } finally {
      letGo();
    }
  }

  async #spawn(): Promise<number> {
    const [command = '', ...args] = this.#server.command;
    const inherited = INHERITED.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]]]));
    const { cwd, outside } = this.#server;
    const usual = getDefaultEnvironment();
    if (outside !== undefined && usual['PATH'] !== undefined) usual['PATH'] = searchPathOutside(usual['PATH'], outside);
    const env = { ...usual, ...Object.fromEntries(inherited), ...this.#server.env, ...markEnvironment(this.#mark) };
    const child = spawn(command, args, {
      cwd,
      env,
      stdio: ['pipe', 'pipe', 'pipe'],
      detached: process.platform !== 'win32',
      windowsHide: true,
    });
    this.#child = child;
    child.stdin.on('error', (error) => this.onerror?.(error));
    child.stdout.on('error', (error) => this.onerror?.(error));
    const reader = readInTurns(child.stdout, (bytes) => this.#lines.push(bytes));
    this.#reader = reader;
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      this.#stderr = (this.#stderr + text).slice(-STDERR_KEPT);
      this.#onStderr(text);
    });
    child.on('exit', (code, signal) => {
      this.#ending ??= signal === null ? `exited with code ${code}` : `was ended by ${signal}`;
      // What it started may still hold its output open; with all of that gone, the output ends too.
      if (child.pid !== undefined) signalChildGroup(child.pid, 'SIGKILL');
      endMarked(this.#mark);
      afterLastBytes([child.stdout, child.stderr], () => reader.finish(() => this.#finish()));
    });
    child.on('close', () => reader.finish(() => this.#finish()));
    await new Promise<void>((resolve, reject) => {
      child.once('spawn', resolve);
      child.once('error', (error) => {
        const why = explainStart(error, { command, cwd, searchPath: env['PATH'] });
        this.#ending = `cannot be started with "${command}" in ${cwd}: ${why}`;
        reject(new Error(this.#ending, { cause: error }));
        this.#finish();
      });
    });
    return child.pid!;
  }

  async send(message: JSONRPCMessage): Promise<void> {
    const input = this.#child?.stdin;
    if (this.#isClosed || input === null || input === undefined || !input.writable)
      throw new Error(`the server ${this.ending ?? 'is not running'}`);
    if (input.write(serializeMessage(message))) return;
    // A server that ends without reading would keep us waiting for ever.
    await Promise.race([new Promise((resolve) => input.once('drain', resolve)), this.#closed.promise]);
  }

  /** Asks it to go by closing its input, then by a signal, then no longer asks. */
  async close(): Promise<void> {
    const child = this.#child;
    if (child?.pid === undefined || this.#isClosed) return this.#finish();
    child.stdin?.end();
    for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
      await Promise.race([this.#closed.promise, delay(CLOSE_STEP_MS, undefined, { ref: false })]);
      if (this.#isClosed) return;
      signalChildGroup(child.pid, signal);
    }
    await Promise.race([this.#closed.promise, delay(CLOSE_STEP_MS, undefined, { ref: false })]);
    this.#finish();
  }

  /** Lines that are not JSON are passed over, as far as there are few. */
  #receive(line: string): void {
    if (this.#isClosed) return;
    try {
      const message = deserializeMessage(line);
      this.#foreignLines = 0;
      this.onmessage?.(message);
    } catch (error) {
      if (!(error instanceof SyntaxError)) return this.onerror?.(error as Error);
      this.#foreignLines += 1;
      if (this.#foreignLines === MOST_FOREIGN_LINES)
        this.#giveUp(`wrote ${MOST_FOREIGN_LINES} lines in a row that are no MCP messages`);
    }
  }

  /** It will not be understood any more, whatever comes: nothing further is read. */
  #giveUp(reason: string): void {
    this.#ending ??= reason;
    this.#reader?.drop();
    if (this.#child?.pid !== undefined) signalChildGroup(this.#child.pid, 'SIGKILL');
  }

  #finish(): void {
    if (this.#isClosed) return;
    this.#isClosed = true;
    this.#letGo?.();
    this.#reader?.drop();
    this.#child?.stderr?.destroy();
    this.#closed.resolve();
    this.onclose?.();
  }
}
