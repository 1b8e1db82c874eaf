import type { Store } from '@dragoman/server/base';
import type { Kysely } from 'kysely';
import type { HubLog } from '../hub-log.ts';
import type { HubTables } from '../hub-tables.ts';
import { PAGE_BYTES, readPage } from '../log/read-events.ts';
import { Follower, type FeedReader, type StoredEvents } from './follower.ts';
import { type FeedTopic, ProcessLink } from './process-link.ts';

/** So many events are read at once for readers of what another process stored. */
const PULL_EVENTS = 500;
/** A process may end between storing something and telling of it, so now and then everyone looks. */
const SWEEP_MS = 15_000;

/**
 * Tells those who follow sessions what is stored in them, and the processes of one hub what concerns them.
 *
 * What this process stores goes to its readers from memory. Other processes are told the number, and read the log.
 */
export class EventFeed {
  readonly #db: Kysely<HubTables>;
  readonly #engine: Store['engine'];
  readonly #log: HubLog;
  readonly #link: ProcessLink;
  readonly #followers = new Map<string, Set<Follower>>();
  readonly #listeners = new Map<FeedTopic, Set<(payload: string | undefined) => void>>();
  /** Sessions that are being read for what another process stored; true where more was stored meanwhile. */
  readonly #pulling = new Map<string, boolean>();
  readonly #sweep: NodeJS.Timeout;
  #isClosed = false;

  /** Opens the feed. It listens to the other processes from here on. */
  static async open({ store, log }: { store: Store; log: HubLog }): Promise<EventFeed> {
    const link = new ProcessLink(log);
    const feed = new EventFeed(store, log, link);
    await link.open(store, {
      stored: (sessionId, seq) => feed.#storedElsewhere(sessionId, seq),
      removed: (sessionId) => feed.#endAll(sessionId),
      told: (topic, payload) => feed.#hear(topic, payload),
      missed: () => feed.#lookAgain(['commands', 'changes', 'asks', 'chats']),
    });
    return feed;
  }

  private constructor(store: Store, log: HubLog, link: ProcessLink) {
    this.#db = store.tables<HubTables>();
    this.#engine = store.engine;
    this.#log = log;
    this.#link = link;
    this.#sweep = setInterval(() => this.#lookAgain(['commands', 'chats']), SWEEP_MS).unref();
  }

  /** Everything after a number, first from the log and then live, without a gap or a repetition. Returns how to leave. */
  subscribe(sessionId: string, after: number, reader: FeedReader): () => void {
    if (this.#isClosed) {
      reader.end();
      return () => {};
    }
    const place = { db: this.#db, engine: this.#engine };
    const follower = new Follower(after, reader, (from, limit) => readPage(place, sessionId, { after: from, limit }));
    const followers = this.#followers.get(sessionId) ?? new Set();
    this.#followers.set(sessionId, followers.add(follower));
    return () => {
      follower.leave();
      followers.delete(follower);
      if (followers.size === 0 && this.#followers.get(sessionId) === followers) this.#followers.delete(sessionId);
    };
  }

  /** Finds what a process stored that died before it told of it. Lists are not read anew, which would end every live stream of changes. */
  lookAgain(): void {
    this.#lookAgain(['commands', 'asks', 'chats']);
  }

  /** Tells what was stored; called by the log after each commit. */
  publish(sessionId: string, stored: StoredEvents): void {
    const last = stored.events.at(-1);
    if (last === undefined || this.#isClosed) return;
    const followers = this.#followers.get(sessionId);
    // What is more than a page is read from the log, in pages, by each as fast as it can.
    const isMuch = followers !== undefined && charsIn(stored.events) > PAGE_BYTES;
    for (const follower of followers ?? []) {
      if (isMuch) follower.catchUp();
      else follower.push(stored);
    }
    this.#link.tellStored(sessionId, last.seq);
  }

  /** Ends the readers of a session that was removed, in every process. */
  remove(sessionId: string): void {
    this.#endAll(sessionId);
    this.#link.tellRemoved(sessionId);
  }

  /**
   * Tells every process of the hub, this one too, always after the commit of what it is about. The text is at most 7,000
   * bytes.
   */
  tell(topic: FeedTopic, payload: string): void {
    if (this.#isClosed) return;
    this.#hear(topic, payload);
    this.#link.tell(topic, payload);
  }

  /**
   * Listens to what is told. Where something may have been missed, the listener hears `undefined`: look at everything
   * again. Returns how to stop.
   */
  hear(topic: FeedTopic, listener: (payload: string | undefined) => void): () => void {
    const listeners = this.#listeners.get(topic) ?? new Set();
    this.#listeners.set(topic, listeners.add(listener));
    return () => {
      listeners.delete(listener);
    };
  }

  /** Ends every reader. */
  async close(): Promise<void> {
    this.#isClosed = true;
    clearInterval(this.#sweep);
    for (const sessionId of this.#followers.keys()) this.#endAll(sessionId);
    this.#listeners.clear();
    await this.#link.close();
  }

  #endAll(sessionId: string): void {
    const followers = this.#followers.get(sessionId) ?? [];
    this.#followers.delete(sessionId);
    for (const follower of followers) follower.end();
  }

  #hear(topic: FeedTopic, payload: string | undefined): void {
    for (const listener of this.#listeners.get(topic) ?? []) {
      try {
        listener(payload);
      } catch (error) {
        this.#log.warn({ err: error, topic }, 'a listener of the hub failed');
      }
    }
  }

  #lookAgain(topics: readonly FeedTopic[]): void {
    for (const sessionId of this.#followers.keys()) void this.#pull(sessionId);
    for (const topic of topics) this.#hear(topic, undefined);
  }

  #storedElsewhere(sessionId: string, seq: number): void {
    const followers = this.#followers.get(sessionId);
    if (followers === undefined) return;
    for (const follower of followers) {
      const position = follower.waitsAt;
      if (position === undefined) follower.catchUp();
      else if (position < seq) void this.#pull(sessionId);
    }
  }

  /** Reads the log once for all readers that wait; one that is further behind reads on by itself. */
  async #pull(sessionId: string): Promise<void> {
    if (this.#pulling.has(sessionId)) {
      this.#pulling.set(sessionId, true);
      return;
    }
    try {
      do {
        this.#pulling.set(sessionId, false);
        const from = waitingAt(this.#followers.get(sessionId));
        if (from === undefined) return;
        const place = { db: this.#db, engine: this.#engine };
        const { events, isLast } = await readPage(place, sessionId, { after: from, limit: PULL_EVENTS });
        for (const follower of this.#followers.get(sessionId) ?? []) {
          follower.push({ from, events });
          if (!isLast) follower.catchUp();
        }
      } while (this.#pulling.get(sessionId) === true);
    } catch (error) {
      for (const follower of this.#followers.get(sessionId) ?? []) follower.end(error as Error);
    } finally {
      this.#pulling.delete(sessionId);
    }
  }
}

/** The lowest number that a reader waits at. */
function waitingAt(followers: ReadonlySet<Follower> | undefined): number | undefined {
  let lowest: number | undefined;
  for (const { waitsAt } of followers ?? [])
    if (waitsAt !== undefined && (lowest === undefined || waitsAt < lowest)) lowest = waitsAt;
  return lowest;
}

/** About how much text a value is; counted no further than a page. */
function charsIn(value: unknown): number {
  if (typeof value === 'string') return value.length;
  if (typeof value !== 'object' || value === null) return 8;
  let chars = 8;
  for (const [key, inner] of Object.entries(value)) {
    chars += key.length + charsIn(inner);
    if (chars > PAGE_BYTES) break;
  }
  return chars;
}
