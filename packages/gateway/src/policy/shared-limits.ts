import { randomUUID } from 'node:crypto';
import type { Store, StoreChannel } from '@dragoman/server';
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

const CHANNEL = 'dragoman_requests';
/** What was counted in so short a time is told at once. */
const GATHER_MS = 50;
/** What is under way is said again after this long, or the others forget it. */
const REPEAT_MS = 5_000;
/** So many clients fit into one word of the database. */
const CLIENTS_AT_ONCE = 100;

/**
 * Counts the requests of a client at all servers on one PostgreSQL: each tells the others what it allowed and what it has under
 * way. A request waits for nobody, so a client may be a few requests ahead of its limits for the moment that a word takes.
 */
export class SharedLimits {
  readonly #self = randomUUID();
  readonly #options: SharedLimitsOptions;
  readonly #opened: Promise<StoreChannel | undefined>;
  /** What was allowed and not told yet, by client. */
  #allowed = new Map<string, number>();
  #gathering: NodeJS.Timeout | undefined;
  #repeating: NodeJS.Timeout | undefined;

  constructor(options: SharedLimitsOptions) {
    this.#options = options;
    this.#opened = options.store
      .openChannel(CHANNEL, (payload) => {
        if (payload !== undefined) this.#hear(payload);
      })
      .catch((err: unknown) => {
        options.log.warn({ err }, 'requests are counted at this server alone');
        return undefined;
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
    clearTimeout(this.#gathering);
    clearInterval(this.#repeating);
    await (await this.#opened)?.close();
  }

  #tell(client: string, allowed: number): void {
    this.#allowed.set(client, (this.#allowed.get(client) ?? 0) + allowed);
    this.#gathering ??= setTimeout(() => {
      this.#gathering = undefined;
      void this.#send();
    }, GATHER_MS).unref();
  }

  #repeat(): void {
    const { clients } = this.#options.concurrency;
    for (const client of clients) this.#tell(client, 0);
    if (clients.length > 0) return;
    clearInterval(this.#repeating);
    this.#repeating = undefined;
  }

  async #send(): Promise<void> {
    const { concurrency, log } = this.#options;
    const words = [...this.#allowed].map(([client, allowed]): Word => [client, allowed, concurrency.underWay(client)]);
    this.#allowed = new Map();
    const channel = await this.#opened;
    for (let start = 0; start < words.length; start += CLIENTS_AT_ONCE) {
      const some = words.slice(start, start + CLIENTS_AT_ONCE);
      await channel
        ?.notify(JSON.stringify([this.#self, some]))
        .catch((err: unknown) => log.warn({ err }, 'other servers could not be told of requests'));
    }
  }

  #hear(payload: string): void {
    const [sender, words] = JSON.parse(payload) as [string, Word[]];
    if (sender === this.#self) return;
    const { window, concurrency } = this.#options;
    for (const [client, allowed, underWay] of words) {
      if (allowed > 0) window.note(client, allowed);
      // A server of an earlier version says nothing of it.
      if (underWay !== undefined) concurrency.note(sender, client, underWay);
    }
  }
}
