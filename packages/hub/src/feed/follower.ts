import type { LoggedHubEvent } from '@dragoman/protocol';
import type { LogPage } from '../log/read-events.ts';

/** Someone who follows a session. */
export interface FeedReader {
  /**
   * Takes events in their order. Where it returns a promise, nothing more comes before that resolves; meanwhile the
   * events wait in the log, not in memory.
   */
  receive(events: readonly LoggedHubEvent[]): void | Promise<void>;
  /** The session was removed, or its log cannot be read any more; nothing comes after it. */
  end(error?: Error): void;
}

/** Reads a page of a session's log: at most so many events, and fewer where they are large. */
export type ReadPage = (after: number, limit: number) => Promise<LogPage>;

/** Events that were stored together, and the number of the last one before them. */
export interface StoredEvents {
  from: number;
  events: readonly LoggedHubEvent[];
}

/** How many events are asked for at once. */
const PAGE = { least: 20, first: 200, most: 2000 };

/**
 * One reader's way through a session: from the log while it is behind, from memory while it keeps up.
 *
 * It keeps up as long as what is stored next begins where it stands. Whatever else happens (it is busy, something came
 * out of order, another process stored something) it is behind, and reads the log until there is nothing more; only a
 * reading during which nothing was stored ends that.
 */
export class Follower {
  readonly #reader: FeedReader;
  readonly #read: ReadPage;
  #position: number;
  #isBusy = false;
  #isBehind = false;
  #hasEnded = false;
  #page = PAGE.first;

  constructor(after: number, reader: FeedReader, read: ReadPage) {
    this.#position = after;
    this.#reader = reader;
    this.#read = read;
    this.catchUp();
  }

  /** Where it stands, when it waits for news; otherwise nothing, as it will find them itself. */
  get waitsAt(): number | undefined {
    return this.#isBusy ? undefined : this.#position;
  }

  /** Something was stored, and here it is. */
  push({ from, events }: StoredEvents): void {
    const last = events.at(-1);
    if (this.#hasEnded || last === undefined) return;
    if (this.#isBusy) {
      this.#isBehind = true;
      return;
    }
    if (last.seq <= this.#position) return;
    if (from > this.#position) {
      this.catchUp();
      return;
    }
    const unseen = events[0]!.seq > this.#position ? events : events.filter(({ seq }) => seq > this.#position);
    const delivered = this.#deliver(unseen);
    if (delivered !== undefined) void this.#whileBusy(() => delivered);
  }

  /** Something may have been stored; it is in the log. */
  catchUp(): void {
    this.#isBehind = true;
    if (!this.#isBusy && !this.#hasEnded) void this.#whileBusy(async () => {});
  }

  end(error?: Error): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    this.#reader.end(error);
  }

  /** The reader left: nothing more is said to it, not even that it is over. */
  leave(): void {
    this.#hasEnded = true;
  }

  async #whileBusy(first: () => Promise<void>): Promise<void> {
    this.#isBusy = true;
    try {
      await first();
      while (this.#isBehind && !this.#hasEnded) {
        this.#isBehind = false;
        await this.#readOn();
      }
    } catch (error) {
      this.end(error as Error);
    } finally {
      this.#isBusy = false;
    }
  }

  async #readOn(): Promise<void> {
    for (;;) {
      const { events, isLast } = await this.#read(this.#position, this.#page);
      if (this.#hasEnded || events.length === 0) return;
      // Events are a line, or a file: where few fit into a page, it is no use to look at many.
      this.#page = Math.min(PAGE.most, Math.max(PAGE.least, events.length * 2));
      await this.#deliver(events);
      if (isLast || this.#hasEnded) return;
    }
  }

  #deliver(events: readonly LoggedHubEvent[]): Promise<void> | undefined {
    this.#position = events.at(-1)!.seq;
    try {
      return this.#reader.receive(events) as Promise<void> | undefined;
    } catch (error) {
      this.end(error as Error);
      return undefined;
    }
  }
}
