import { DragomanError } from '@dragoman/protocol';
import type { Runner, RunnerLog } from '@dragoman/runner';

/** How often it is tried again to host the agents of this machine. */
const RETRY_MS = 30_000;

/** The runner as the server knows it. */
export type HostedRunner = Pick<Runner, 'finished' | 'refresh' | 'close'>;

/** How the runner of a server is opened. */
export interface ServerRunnerOptions {
  open: () => HostedRunner;
  log: RunnerLog;
  retryMs?: number | undefined;
}

/**
 * The runner inside a server, which comes when it can. Where another process on the same data folder hosts the agents,
 * or the folder cannot be written, sessions are read all the same; it is said once, and tried again until it works.
 */
export class ServerRunner {
  readonly #options: ServerRunnerOptions;
  #runner: HostedRunner | undefined;
  #problem: string | undefined;
  #retry: NodeJS.Timeout | undefined;
  #isClosed = false;

  constructor(options: ServerRunnerOptions) {
    this.#options = options;
    this.#open();
  }

  /** Why no agents are hosted here; undefined where they are. */
  get problem(): string | undefined {
    return this.#problem;
  }

  /** Ends when the runner does; at once where there is none. */
  get finished(): Promise<void> {
    return this.#runner?.finished ?? Promise.resolve();
  }

  /** Tells what is offered now, or tries again to offer anything. */
  refresh(): void {
    if (this.#runner !== undefined) this.#runner.refresh();
    else this.#open();
  }

  /** Ends every agent, or the waiting. */
  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#retry);
    await this.#runner?.close();
  }

  #open(): void {
    if (this.#isClosed) return;
    clearTimeout(this.#retry);
    const { open, log, retryMs = RETRY_MS } = this.#options;
    try {
      this.#runner = open();
      this.#runner.finished.catch(() => {}); // It is in the log.
      if (this.#problem !== undefined) log.info({}, 'the agents of this machine are hosted by this process now');
      this.#problem = undefined;
    } catch (error) {
      const problem = `This server runs no agents: ${reasonOf(error)}`;
      if (problem !== this.#problem)
        log.warn(error instanceof DragomanError ? {} : { err: error }, `${problem}. It will be retried.`);
      this.#problem = problem;
      this.#retry = setTimeout(() => this.#open(), retryMs).unref();
    }
  }
}

function reasonOf(error: unknown): string {
  return (error instanceof Error ? error.message : String(error)).replace(/\.$/, '');
}
