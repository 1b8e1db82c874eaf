import type { AgentOffer, HubLink, RunnerAsk } from '@dragoman/protocol';
import { toFault } from '../backend/to-fault.ts';
import type { FileDesk } from '../files/file-desk.ts';
import type { AllowedFolders } from '../folders/allowed-folders.ts';
import type { RunnerLog } from '../runner-log.ts';

/** What the machine can be asked about. */
export interface RunnerAsksOptions {
  link: Pick<HubLink, 'reply'>;
  runnerId: () => string;
  folders: AllowedFolders;
  /** The agents as they are now. */
  offers: () => Promise<AgentOffer[]>;
  /** Where the worktrees of sessions are. */
  worktrees: string;
  log: RunnerLog;
}

type Answer = Parameters<HubLink['reply']>[2];

/** The hub asks no more by then. */
const KEPT_MS = 60_000;

/**
 * Answers what the hub asks of this machine. A question that has not reached its answer comes again with the next
 * connection; it is answered with the same words, and what it asks for is done once.
 */
export class RunnerAsks {
  readonly #options: RunnerAsksOptions;
  readonly #answers = new Map<string, Promise<Answer>>();
  readonly #waitedFor = new Map<string, AbortController>();
  #desk: Promise<FileDesk> | undefined;

  constructor(options: RunnerAsksOptions) {
    this.#options = options;
  }

  /** Answers a question, sooner or later. */
  async take(askId: string, ask: RunnerAsk): Promise<void> {
    const { link, log, runnerId } = this.#options;
    const known = this.#answers.get(askId);
    const answer = known ?? this.#answer(askId, ask);
    this.#answers.set(askId, answer);
    let isTold = false;
    try {
      await link.reply(runnerId(), askId, await answer);
      isTold = true;
    } catch (error) {
      log.debug({ err: error }, 'an answer did not reach the hub');
    }
    if (isTold) this.#answers.delete(askId);
    else setTimeout(() => this.#answers.delete(askId), KEPT_MS).unref();
  }

  /** Nobody waits for an answer any more: what only looks for it ends. What changes something is carried through. */
  drop(askId: string): void {
    this.#waitedFor.get(askId)?.abort();
  }

  /** Ends what is still being looked for. */
  async close(): Promise<void> {
    (await this.#desk)?.close();
  }

  async #answer(askId: string, ask: RunnerAsk): Promise<Answer> {
    const waitedFor = new AbortController();
    this.#waitedFor.set(askId, waitedFor);
    try {
      return { result: await this.#find(ask, waitedFor.signal) };
    } catch (error) {
      return { error: toFault(error) };
    } finally {
      this.#waitedFor.delete(askId);
    }
  }

  async #find(ask: RunnerAsk, signal: AbortSignal): Promise<unknown> {
    if (ask.method === 'list-folder') return this.#options.folders.list(ask.path);
    if (ask.method === 'list-agents') return this.#options.offers();
    return (await this.#openDesk()).answer(ask, signal);
  }

  /** Loaded when somebody looks at files for the first time. */
  #openDesk(): Promise<FileDesk> {
    const { folders, worktrees } = this.#options;
    this.#desk ??= import('../files/file-desk.ts').then(({ FileDesk: Desk }) => new Desk({ folders, worktrees }));
    return this.#desk;
  }
}
