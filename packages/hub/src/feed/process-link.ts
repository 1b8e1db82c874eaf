import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { Store, StoreChannel } from '@dragoman/server/base';
import type { HubLog } from '../hub-log.ts';

/**
 * What processes of one hub tell each other beside events: a runner has commands, a list changed, a question or its
 * answer came, a chat has something to say.
 */
export type FeedTopic = 'commands' | 'changes' | 'asks' | 'chats';

/** What is heard from other processes. */
export interface LinkListener {
  stored(sessionId: string, seq: number): void;
  removed(sessionId: string): void;
  told(topic: FeedTopic, payload: string): void;
  /** The connection was lost and is back. */
  missed(): void;
}

type Message =
  | { stored: [sessionId: string, seq: number] }
  | { removed: string }
  | { topic: FeedTopic; payload: string };

const CHANNEL = 'dragoman_hub';
/** PostgreSQL takes less than 8,000 bytes at once. */
const MAX_BYTES = 7_600;
const RETRY_MS = 1_000;
/** How long what there is to tell waits for more, after something was told: what it costs the others is bound by that. */
const GAP_MS = 20;
/** What waits longer than this while the database is away is dropped; whoever listens looks at everything again. */
const MAX_WAITING = 10_000;

/**
 * The other processes of one hub. What there is to tell waits for a moment after something was told, and goes out together;
 * of a session only its last number. So another process is told of as many things as happen, but not as often.
 */
export class ProcessLink {
  readonly #log: HubLog;
  readonly #self = randomUUID();
  readonly #stored = new Map<string, number>();
  #messages: Message[] = [];
  #channel: StoreChannel | undefined;
  #sending: Promise<void> | undefined;
  #sentAt = -Infinity;
  /** Why the others could not be told the last time. */
  #trouble: string | undefined;
  #isClosed = false;

  constructor(log: HubLog) {
    this.#log = log;
  }

  async open(store: Store, listener: LinkListener): Promise<void> {
    const opened = store.openChannel(CHANNEL, (payload) => {
      if (payload === undefined) listener.missed();
      else this.#receive(payload, listener);
    });
    this.#channel = await (store.engine === 'postgres'
      ? opened
      : opened.catch((error: unknown) => this.#goAlone(error)));
  }

  /** A disk may be full, or its files not ours to write: sessions are read all the same. */
  #goAlone(error: unknown): undefined {
    this.#log.warn({ err: error }, 'terminals on the same data cannot be heard');
  }

  tellStored(sessionId: string, seq: number): void {
    if (this.#channel === undefined) return;
    this.#stored.set(sessionId, Math.max(seq, this.#stored.get(sessionId) ?? 0));
    this.#send();
  }

  tellRemoved(sessionId: string): void {
    this.#add({ removed: sessionId });
  }

  tell(topic: FeedTopic, payload: string): void {
    this.#add({ topic, payload });
  }

  async close(): Promise<void> {
    await this.#sending;
    this.#isClosed = true;
    await this.#channel?.close();
  }

  #add(message: Message): void {
    if (this.#channel === undefined) return;
    if (this.#messages.length >= MAX_WAITING) this.#messages.shift();
    this.#messages.push(message);
    this.#send();
  }

  #send(): void {
    if (this.#isClosed) return;
    this.#sending ??= this.#sendAll().finally(() => (this.#sending = undefined));
  }

  async #sendAll(): Promise<void> {
    await Promise.resolve(); // What is told in one go goes out in one go.
    while (!this.#isClosed && (this.#stored.size > 0 || this.#messages.length > 0)) {
      const waitMs = this.#sentAt + GAP_MS - performance.now();
      if (waitMs > 0) await delay(waitMs);
      this.#sentAt = performance.now();
      const messages = this.#take();
      try {
        await this.#channel!.notify(JSON.stringify([this.#self, ...messages]));
        this.#trouble = undefined;
      } catch (error) {
        this.#logTrouble(error);
        this.#putBack(messages);
        setTimeout(() => this.#send(), RETRY_MS).unref();
        return;
      }
    }
  }

  /** Once for each cause, until it works again: it is tried every second. */
  #logTrouble(error: unknown): void {
    const trouble = String(error);
    if (trouble !== this.#trouble) this.#log.warn({ err: error }, 'the other processes of the hub could not be told');
    this.#trouble = trouble;
  }

  /** As many as fit. */
  #take(): Message[] {
    let room = MAX_BYTES - 100;
    const taken: Message[] = [];
    for (const [sessionId, seq] of this.#stored) {
      room -= Buffer.byteLength(sessionId) + 40;
      if (room < 0 && taken.length > 0) return taken;
      taken.push({ stored: [sessionId, seq] });
      this.#stored.delete(sessionId);
    }
    for (const message of this.#messages) {
      room -= Buffer.byteLength(JSON.stringify(message)) + 1;
      if (room < 0 && taken.length > 0) break;
      taken.push(message);
    }
    this.#messages = this.#messages.filter((message) => !taken.includes(message));
    return taken;
  }

  #putBack(messages: readonly Message[]): void {
    for (const message of messages.toReversed()) {
      if ('stored' in message)
        this.#stored.set(message.stored[0], Math.max(message.stored[1], this.#stored.get(message.stored[0]) ?? 0));
      else this.#messages.unshift(message);
    }
  }

  #receive(payload: string, listener: LinkListener): void {
    let told: [string, ...Message[]];
    try {
      told = JSON.parse(payload) as [string, ...Message[]];
    } catch {
      return;
    }
    const [sender, ...messages] = told;
    if (sender === this.#self) return;
    for (const message of messages) {
      if ('stored' in message) listener.stored(...message.stored);
      else if ('removed' in message) listener.removed(message.removed);
      else listener.told(message.topic, message.payload);
    }
  }
}
