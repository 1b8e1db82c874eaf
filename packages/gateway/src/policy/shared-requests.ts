import { randomUUID } from 'node:crypto';
import type { Store, StoreChannel } from '@dragoman/server';
import type { RequestWindow } from './request-window.ts';

/** What is needed to count together. */
export interface SharedRequestsOptions {
  store: Pick<Store, 'openChannel'>;
  window: Pick<RequestWindow, 'note'>;
  log: { warn(facts: object, message: string): void };
}

const CHANNEL = 'dragoman_requests';
/** What was counted in so short a time is told at once. */
const GATHER_MS = 50;
/** So many clients fit into one word of the database. */
const CLIENTS_AT_ONCE = 100;

/**
 * Counts the requests of a client at all servers on one PostgreSQL: each tells the others what it allowed. A request waits for
 * nobody, so a client may be a few requests ahead of its limit for the moment that a word takes.
 */
export class SharedRequests {
  readonly #self = randomUUID();
  readonly #options: SharedRequestsOptions;
  readonly #opened: Promise<StoreChannel | undefined>;
  #counts = new Map<string, number>();
  #timer: NodeJS.Timeout | undefined;

  constructor(options: SharedRequestsOptions) {
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
  tell(client: string): void {
    this.#counts.set(client, (this.#counts.get(client) ?? 0) + 1);
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      void this.#send();
    }, GATHER_MS).unref();
  }

  async close(): Promise<void> {
    clearTimeout(this.#timer);
    await (await this.#opened)?.close();
  }

  async #send(): Promise<void> {
    const counts = [...this.#counts];
    this.#counts = new Map();
    const channel = await this.#opened;
    for (let start = 0; start < counts.length; start += CLIENTS_AT_ONCE) {
      const some = counts.slice(start, start + CLIENTS_AT_ONCE);
      await channel
        ?.notify(JSON.stringify([this.#self, some]))
        .catch((err: unknown) => this.#options.log.warn({ err }, 'other servers could not be told of requests'));
    }
  }

  #hear(payload: string): void {
    const [sender, counts] = JSON.parse(payload) as [string, [client: string, count: number][]];
    if (sender === this.#self) return;
    for (const [client, count] of counts) this.#options.window.note(client, count);
  }
}
