import { setTimeout as delay } from 'node:timers/promises';
import { DragomanError } from '@dragoman/protocol';
import type { Runner, RunnerLog } from '@dragoman/runner';
import type { RunnerProcess } from './runner-process.ts';

/** How often it is tried again to host the agents of this machine. */
const RETRY_MS = 1_000;
/** How long another process that has the runner's folder may take to connect before it is told as a problem. */
const PATIENCE_MS = 20_000;
/** How long it may take before it is ended, so that agents can be hosted again. */
const HUNG_MS = 60_000;
/** How long a process that could not be started is left alone. */
const START_AGAIN_MS = 10_000;

/** The runner as the server knows it. */
export type HostedRunner = Pick<Runner, 'finished' | 'refresh' | 'close'>;

/** How a runner leaves its work to the process that hosts agents. */
interface LeaveWork {
  /** Is called once an agent is needed. */
  onWork: () => void;
  /** Why agents cannot be started, once for each session that waits for one. */
  whyWaiting: (sessionId: string) => string | undefined;
}

/** How the runner of a server is opened. */
export interface ServerRunnerOptions {
  /** Opens it in this process, without agents. */
  standIn: (leave: LeaveWork) => HostedRunner;
  /** Starts the process that hosts agents; `release` lets go of what it needs, once it is ready to take that. */
  startProcess: (release: () => Promise<void>, signal: AbortSignal) => Promise<RunnerProcess>;
  /** The other process that has the runner's folder, which an earlier server started. */
  findProcess: () => RunnerProcess | undefined;
  /** What is to be said of that process: that it is an older one. */
  describeProcess?: (() => string | undefined) | undefined;
  /** Whether the runner is connected, from whichever process. */
  isConnected: () => boolean;
  /** Whether the server could let it connect: while the store is away, nobody can. */
  canConnect: () => Promise<boolean>;
  log: RunnerLog;
  retryMs?: number | undefined;
  patienceMs?: number | undefined;
  hungMs?: number | undefined;
  startAgainMs?: number | undefined;
}

/**
 * The runner of the machine that a server is on.
 *
 * Agents outlive the server, so they live in a process of their own, which is started with the first work for them and ends
 * when there is none any more. Until then, and after it, the runner is in this process and only stands in: it says what is
 * offered, and lets people look at folders. Both are the same runner to the hub, one after the other, since they share a
 * folder that one process holds at a time.
 *
 * A process that an earlier server started has the folder already, and connects by itself. Where neither can be, sessions are
 * read all the same; it is said once, and tried again until it works. A process that hangs is ended after a minute.
 */
export class ServerRunner {
  readonly #options: ServerRunnerOptions;
  #standIn: HostedRunner | undefined;
  #process: RunnerProcess | undefined;
  #starting: Promise<void> | undefined;
  #problem: string | undefined;
  #retry: NodeJS.Timeout | undefined;
  /** When the process may be started again; undefined where nothing kept it from starting. */
  #startAgainAt: number | undefined;
  readonly #toldSessions = new Set<string>();
  #heldSince: number | undefined;
  #old: string | undefined;
  #isAsking = false;
  #isEndingHung = false;
  readonly #closing = new AbortController();

  constructor(options: ServerRunnerOptions) {
    this.#options = options;
    this.#open();
  }

  /** Why no agents are hosted here; undefined where they are. */
  get problem(): string | undefined {
    return this.#problem;
  }

  /** Ends when the runner in this process does; at once where it is not here. */
  get finished(): Promise<void> {
    return this.#standIn?.finished ?? Promise.resolve();
  }

  /** Tells what is offered now, or tries again to offer anything. The process follows the configuration itself. */
  refresh(): void {
    if (this.#standIn !== undefined) this.#standIn.refresh();
    else if (this.#starting === undefined) this.#open();
  }

  /** Ends every agent, or leaves those in the other process to themselves. */
  async close({ leavesAgents = false }: { leavesAgents?: boolean } = {}): Promise<void> {
    this.#closing.abort();
    clearTimeout(this.#retry);
    await this.#starting;
    await this.#standIn?.close();
    const hosting = this.#process ?? (this.#standIn === undefined ? this.#options.findProcess() : undefined);
    if (!leavesAgents) await hosting?.end();
    else if (hosting !== undefined)
      this.#options.log.info({ pid: hosting.pid }, 'agents that are at work go on; "dragoman stop" ends them');
  }

  #open(): void {
    if (this.#closing.signal.aborted) return;
    clearTimeout(this.#retry);
    const { standIn, log, retryMs = RETRY_MS } = this.#options;
    try {
      this.#standIn = standIn({
        onWork: () => {
          this.#starting ??= this.#start().finally(() => (this.#starting = undefined));
        },
        whyWaiting: (sessionId) => this.#whyWaiting(sessionId),
      });
      this.#standIn.finished.catch(() => {}); // It is in the log.
      this.#heldSince = undefined;
      if (this.#startAgainAt !== undefined) return;
      if (this.#problem !== undefined) log.info({}, 'the agents of this machine are hosted by this server now');
      this.#problem = undefined;
    } catch (error) {
      this.#tell(this.#isAdopted(error) ? undefined : error);
      this.#openLater(retryMs);
      this.#tellOld();
      void this.#endHung();
    }
  }

  /** Whether the folder is held by a process that is connected, or was not for a moment only. */
  #isAdopted(error: unknown): boolean {
    if (!(error instanceof DragomanError && error.code === 'conflict')) return false;
    const now = performance.now();
    // A store that takes its time is away.
    if (this.#options.isConnected() || this.#isAsking) this.#heldSince = now;
    this.#heldSince ??= now;
    return now - this.#heldSince < (this.#options.patienceMs ?? PATIENCE_MS);
  }

  /** A process that has the folder and does not connect for long, though it could, will not any more. */
  async #endHung(): Promise<void> {
    const { isConnected, findProcess, hungMs = HUNG_MS, log } = this.#options;
    if (this.#isEndingHung || this.#heldSince === undefined || isConnected()) return;
    if (!(await this.#isStoreThere())) this.#heldSince = undefined;
    if (this.#closing.signal.aborted || this.#heldSince === undefined || performance.now() - this.#heldSince < hungMs)
      return;
    const hung = findProcess();
    if (hung === undefined || this.#isEndingHung) return;
    this.#isEndingHung = true;
    log.warn({ pid: hung.pid }, 'the process that hosts agents does not respond; it is ended');
    hung
      .end()
      .catch((err: unknown) => log.error({ err }, 'the process that hosts agents could not be ended'))
      .finally(() => (this.#isEndingHung = false));
  }

  async #isStoreThere(): Promise<boolean> {
    if (this.#isAsking) return false;
    this.#isAsking = true;
    try {
      return await this.#options.canConnect();
    } finally {
      this.#isAsking = false;
    }
  }

  /** An older process goes on with what it was started with, which people look for in the server's log. */
  #tellOld(): void {
    const old = this.#options.describeProcess?.();
    if (old !== undefined && old !== this.#old) this.#options.log.warn({}, old);
    this.#old = old;
  }

  #tell(error: unknown): void {
    const { log } = this.#options;
    const problem = error === undefined ? undefined : `This server runs no agents: ${reasonOf(error)}`;
    if (problem !== undefined && problem !== this.#problem)
      log.warn(error instanceof DragomanError ? {} : { err: error }, `${problem}. It will be retried.`);
    this.#problem = problem;
  }

  #openLater(ms: number): void {
    clearTimeout(this.#retry);
    if (!this.#closing.signal.aborted) this.#retry = setTimeout(() => this.#open(), ms).unref();
  }

  async #start(): Promise<void> {
    const { startProcess, startAgainMs = START_AGAIN_MS, log } = this.#options;
    const release = async () => {
      const standIn = this.#standIn;
      this.#standIn = undefined;
      await standIn?.close();
    };
    const { signal } = this.#closing;
    try {
      await delay(Math.max((this.#startAgainAt ?? 0) - performance.now(), 0), undefined, { signal });
      const hosting = await startProcess(release, signal);
      this.#process = hosting;
      this.#startAgainAt = undefined;
      this.#problem = undefined;
      this.#toldSessions.clear();
      log.info({ pid: hosting.pid, logFile: hosting.logFile }, 'agents run in a process of their own');
      void hosting.gone.then((exit) => {
        this.#process = undefined;
        const { pid, logFile } = hosting;
        if (exit !== undefined && exit.code !== 0 && !signal.aborted)
          log.warn({ pid, ...exit, logFile }, 'the process that hosts agents ended unexpectedly');
        this.#open();
      });
    } catch (error) {
      await release();
      if (signal.aborted) return;
      this.#tell(error);
      this.#startAgainAt = performance.now() + startAgainMs;
      // The machine is there all the same, and its sessions say what they wait for.
      this.#openLater(0);
    }
  }

  #whyWaiting(sessionId: string): string | undefined {
    if (this.#problem === undefined || this.#toldSessions.has(sessionId)) return undefined;
    this.#toldSessions.add(sessionId);
    return `${this.#problem}. It will be retried.`;
  }
}

function reasonOf(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).replace(/\.$/, '');
}
