import { randomUUID } from 'node:crypto';
import type { Store } from './open-store.ts';
import { MAX_PAYLOAD_BYTES, type StoreChannel } from './store-channel.ts';

/** What servers tell each other, and how. */
export interface WordsOptions<Word> {
  store: Pick<Store, 'openChannel'>;
  name: string;
  /** How long words are gathered before they are sent together. */
  gatherMs: number;
  /** Takes what is to be sent now. */
  gather: () => Word[] | Promise<Word[]>;
  /** What another server sent; the sender is another one after each start. */
  hear: (word: Word, sender: string) => void;
  log: { warn(facts: object, message: string): void };
  /** What the log says where the channel cannot be opened, and where a word cannot be sent. */
  alone: string;
  unsent: string;
}

/** What fits beside the sender. */
const MOST_BYTES = MAX_PAYLOAD_BYTES - 100;

/**
 * What the servers on one PostgreSQL tell each other while they work. Nothing waits for it, and nothing that has to be kept is
 * told this way: a word is lost where the database is away, and one that is too long is left out.
 */
export class WordsChannel<Word> {
  readonly #self = randomUUID();
  readonly #options: WordsOptions<Word>;
  readonly #opened: Promise<StoreChannel | undefined>;
  #gathering: NodeJS.Timeout | undefined;
  #isClosed = false;

  constructor(options: WordsOptions<Word>) {
    this.#options = options;
    const { store, name, log, alone } = options;
    this.#opened = store
      .openChannel(name, (payload) => {
        if (payload !== undefined) this.#hear(payload);
      })
      .catch((err: unknown) => {
        log.warn({ err }, alone);
        return undefined;
      });
  }

  /** Gathers in a moment, and sends what there is then. */
  sendSoon(): void {
    if (this.#isClosed) return;
    this.#gathering ??= setTimeout(() => {
      this.#gathering = undefined;
      void this.#sendGathered();
    }, this.#options.gatherMs).unref();
  }

  /** Sends at once. */
  async send(words: readonly Word[]): Promise<void> {
    const { log, unsent } = this.#options;
    const channel = await this.#opened;
    for (const payload of inPayloads(this.#self, words))
      await channel?.notify(payload).catch((err: unknown) => log.warn({ err }, unsent));
  }

  /** Says a last word; what was to be sent soon is not. */
  async close(last: readonly Word[] = []): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#gathering);
    await this.send(last);
    await (await this.#opened)?.close();
  }

  async #sendGathered(): Promise<void> {
    const words = await this.#options.gather();
    if (!this.#isClosed) await this.send(words);
  }

  #hear(payload: string): void {
    const [sender, words] = JSON.parse(payload) as [string, Word[]];
    if (sender === this.#self) return;
    for (const word of words) this.#options.hear(word, sender);
  }
}

function inPayloads<Word>(self: string, words: readonly Word[]): string[] {
  const payloads: string[] = [];
  let some: Word[] = [];
  let size = 0;
  const end = () => {
    if (some.length > 0) payloads.push(JSON.stringify([self, some]));
    [some, size] = [[], 0];
  };
  for (const word of words) {
    const bytes = Buffer.byteLength(JSON.stringify(word)) + 1;
    if (bytes > MOST_BYTES) continue;
    if (size + bytes > MOST_BYTES) end();
    some.push(word);
    size += bytes;
  }
  end();
  return payloads;
}
