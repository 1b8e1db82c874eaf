import { type Store, WordsChannel } from '@dragoman/server';
import type { ConcurrencyLimit } from './concurrency-limit.ts';
import type { RequestWindow } from './request-window.ts';

/** What is needed to count together. */
export interface SharedLimitsOptions {
  store: Pick<Store, 'openChannel'>;
  window: Pick<RequestWindow, 'note'>;
  concurrency: Pick<ConcurrencyLimit, 'note' | 'underWay' | 'clients'>;
  log: { warn(facts: object, message: string): void };
}

/** What a server says of a client: how many requests it allowed since the last time, and how many are under way there. */
type Word = [client: string, allowed: number, underWay?: number];

/** What was counted in so short a time is told at once. */
const GATHER_MS = 50;
/** What is under way is said again after this long, or the others forget it. */
const REPEAT_MS = 5_000;

/**
 * Counts the requests of a client at all servers on one PostgreSQL: each tells the others what it allowed and what it has under
 * way. A request waits for nobody, so a client may be a few requests ahead of its limits for the moment that a word takes.
 */
export class SharedLimits {
  readonly #options: SharedLimitsOptions;
  readonly #channel: WordsChannel<Word>;
  /** What was allowed and not told yet, by client. */
  #allowed = new Map<string, number>();
  #repeating: NodeJS.Timeout | undefined;

  constructor(options: SharedLimitsOptions) {
    this.#options = options;
    this.#channel = new WordsChannel<Word>({
      store: options.store,
      name: 'dragoman_requests',
      gatherMs: GATHER_MS,
      gather: () => this.#gather(),
      hear: (word, sender) => this.#hear(word, sender),
      log: options.log,
      alone: 'requests are counted at this server alone',
      unsent: 'other servers could not be told of requests',
    });
  }

  /** A request of this client was allowed here. */
  began(client: string): void {
    this.#tell(client, 1);
    this.#repeating ??= setInterval(() => this.#repeat(), REPEAT_MS).unref();
  }

  /** A request of this client is over. */
  ended(client: string): void {
    this.#tell(client, 0);
  }

  async close(): Promise<void> {
    clearInterval(this.#repeating);
    await this.#channel.close();
  }

  #tell(client: string, allowed: number): void {
    this.#allowed.set(client, (this.#allowed.get(client) ?? 0) + allowed);
    this.#channel.sendSoon();
  }

  #repeat(): void {
    const { clients } = this.#options.concurrency;
    for (const client of clients) this.#tell(client, 0);
    if (clients.length > 0) return;
    clearInterval(this.#repeating);
    this.#repeating = undefined;
  }

  #gather(): Word[] {
    const { concurrency } = this.#options;
    const words = [...this.#allowed].map(([client, allowed]): Word => [client, allowed, concurrency.underWay(client)]);
    this.#allowed = new Map();
    return words;
  }

  #hear([client, allowed, underWay]: Word, sender: string): void {
    const { window, concurrency } = this.#options;
    if (allowed > 0) window.note(client, allowed);
    // A server of an earlier version says nothing of it.
    if (underWay !== undefined) concurrency.note(sender, client, underWay);
  }
}
