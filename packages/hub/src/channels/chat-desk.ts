import { setImmediate } from 'node:timers/promises';
import { ChatAgenda } from './chat-agenda.ts';
import { deliverPost } from './deliver-post.ts';
import type { DeskHost } from './desk-host.ts';
import type { ChatRow } from './people/chat-store.ts';
import type { ChatPlace } from './post-store.ts';
import { takeSetback } from './take-setback.ts';
import type { Choice } from './wanted-post.ts';

const MAX_BACKOFF_MS = 60_000;

/**
 * Brings one chat to say what it should, at its own pace: one request at a time, the newest state of things, and again
 * until it is there.
 *
 * It holds no messages to send: what is to be done next it asks the agenda whenever the chat is free.
 */
export class ChatDesk {
  readonly #host: DeskHost;
  readonly #place: ChatPlace;
  readonly #agenda: ChatAgenda;
  readonly #bodies = new Map<string, unknown>();
  #working: Promise<void> | undefined;
  #hasNews = false;
  #freeAt = 0;
  #setbacks = 0;

  constructor(host: DeskHost, place: ChatPlace) {
    this.#host = host;
    this.#place = place;
    this.#agenda = new ChatAgenda(host, place, () => this.#look());
  }

  /** Knows of a chat in which nothing is to do for now; it only listens. */
  rest(chat: ChatRow, seq: number): void {
    this.#agenda.rest(chat, seq);
  }

  /** It shows nothing, and has nothing to do or to wait for. */
  get isIdle(): boolean {
    const isBusy = this.#working !== undefined || this.#agenda.isStale || this.#hasNews;
    return !isBusy && this.#agenda.isEmpty && this.#freeAt <= this.#host.clock.now();
  }

  /** What is stored of the chat has changed, or may have. */
  wake(): void {
    this.#agenda.isStale = true;
    this.#start();
  }

  /** Ends with the signal of the host. */
  async close(): Promise<void> {
    this.#agenda.close();
    await this.#working;
  }

  /** Something happened in a session that it shows. */
  #look(): void {
    this.#hasNews = true;
    this.#start();
  }

  #start(): void {
    if (this.#host.signal.aborted) return;
    this.#working ??= this.#work().finally(() => {
      this.#working = undefined;
      if (this.#agenda.isStale || this.#hasNews) this.#start();
    });
  }

  async #work(): Promise<void> {
    const { clock, signal, parts } = this.#host;
    while (!signal.aborted) {
      try {
        const ms = this.#freeAt - clock.now();
        if (ms > 0) await clock.wait(ms, signal);
        if (!(await this.#step())) return;
        // A store in this process takes no time to wait for: others would get no turn.
        await setImmediate();
      } catch (err) {
        if (signal.aborted) return;
        parts.logger.warn({ err, ...this.#place }, 'could not update a chat; retrying');
        this.#agenda.isStale = true;
        this.#backOff();
      }
    }
  }

  /** Delivers one post; false where nothing is to do. */
  async #step(): Promise<boolean> {
    const agenda = this.#agenda;
    if (agenda.isStale) await agenda.load();
    this.#hasNews = false;
    let choice = await agenda.choose();
    if (choice !== undefined && this.#host.isRevoked()) {
      await this.#host.admit();
      choice = await agenda.choose();
    }
    if (choice !== undefined) {
      if (await agenda.isAsLoaded()) await this.#deliver(choice);
      else agenda.isStale = true;
    }
    return choice !== undefined || agenda.isStale || this.#hasNews;
  }

  async #deliver(choice: Choice): Promise<void> {
    const { parts, channel, clock, signal } = this.#host;
    const { chat, hasChat } = this.#agenda;
    let claimed = choice.wanted.row;
    try {
      const options = { db: parts.db, channel, chat, place: this.#place, clock, signal, bodies: this.#bodies };
      const isAsked = await deliverPost(options, choice, (row) => {
        claimed = row;
        this.#agenda.claimed(choice, row);
      });
      if (!isAsked) return;
      this.#setbacks = 0;
      this.#freeAt = clock.now() + channel.paceMs(chat);
      this.#host.succeed();
    } catch (error) {
      signal.throwIfAborted();
      const setback = await takeSetback(
        { db: parts.db, logger: parts.logger, place: this.#place, hasChat, clock },
        { error, post: choice.wanted.post, row: claimed },
      );
      if (setback.isMoved) this.#agenda.forget();
      if (setback.waits === 'not') this.#freeAt = clock.now() + channel.paceMs(chat);
      else if (typeof setback.waits === 'number') this.#freeAt = clock.now() + Math.max(setback.waits, 0);
      else this.#backOff();
      this.#host.fail(setback);
    }
  }

  #backOff(): void {
    const ms = Math.min(MAX_BACKOFF_MS, 1_000 * 2 ** this.#setbacks);
    this.#setbacks += 1;
    this.#freeAt = this.#host.clock.now() + ms * (0.75 + Math.random() / 4);
  }
}
