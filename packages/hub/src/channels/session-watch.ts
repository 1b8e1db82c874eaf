import { setImmediate } from 'node:timers/promises';
import {
  foldHubEvents,
  type LoggedHubEvent,
  type MachineAway,
  partMaker,
  SessionFold,
  type SessionPart,
  type SessionView,
} from '@dragoman/protocol';
import type { HubParts } from '../hub-parts.ts';
import { awayOf } from '../runners/away-machine.ts';
import type { ChangeNote } from '../sessions/tell-change.ts';

/** Someone who shows a session. */
export interface Onlooker {
  /** Something happened in the session. */
  look(): void;
  /** The session is gone. */
  lose(sessionId: string): void;
}

/** A session as it is now. */
export interface SeenSession {
  view: SessionView;
  parts: readonly SessionPart[];
  /** Its machine, where that is not connected and a turn runs on it. */
  away: MachineAway | undefined;
}

const PAGE = 500;
/** So many events wait to be folded; more are folded at once, so that they do not pile up. */
const MOST_WAITING = 2_000;
const RETRY_MS = 1_000;
/** A session in which nothing happens for so long is not kept in memory. */
const QUIET_MS = 15 * 60_000;

type Needs = Pick<HubParts, 'db' | 'log' | 'feed' | 'logger' | 'presence' | 'config' | 'now'>;

/**
 * A session that chats show, read once for all of them.
 *
 * While nothing happens in it there is only a reader of the feed. With the first event it is read from its beginning; from
 * then on events are only kept when they come, and folded when a chat wants to see them, which is at its own pace: nobody
 * who works in the session waits for that.
 */
export class SessionWatch {
  readonly sessionId: string;
  readonly onlookers = new Set<Onlooker>();
  readonly #parts: Needs;
  #makeParts = partMaker();
  #seenAt = 0;
  #view: SessionView | undefined;
  #waiting: LoggedHubEvent[] = [];
  #reading: Promise<boolean> | undefined;
  #leave: (() => void) | undefined;
  /** The last number that was heard of. */
  #heard: number;
  #isClosed = false;

  constructor(parts: Needs, sessionId: string, after: number) {
    this.#parts = parts;
    this.sessionId = sessionId;
    this.#heard = after;
    this.#subscribe(after);
  }

  /** Looks on from a number on. Who comes later than something happened is told at once. */
  enter(onlooker: Onlooker, after: number): void {
    this.onlookers.add(onlooker);
    if (this.#heard > after) onlooker.look();
  }

  /** The session as it is now; nothing where it is gone. */
  async see(): Promise<SeenSession | undefined> {
    if (this.#view === undefined) {
      this.#reading ??= this.#read().finally(() => (this.#reading = undefined));
      if (!(await this.#reading)) return undefined;
    }
    this.#seenAt = performance.now();
    this.#fold();
    const view = this.#view;
    return view && { view, parts: this.#makeParts(view), away: await this.#away(view) };
  }

  /** Its machine has come or gone. */
  look(): void {
    for (const onlooker of this.onlookers) onlooker.look();
  }

  /** Forgets what nobody has looked at for long; it is read again when something happens. */
  rest(): void {
    if (this.#view === undefined || this.#reading !== undefined || performance.now() - this.#seenAt < QUIET_MS) return;
    this.#view = undefined;
    this.#waiting = [];
    this.#makeParts = partMaker();
  }

  close(): void {
    this.#isClosed = true;
    this.#leave?.();
    this.onlookers.clear();
  }

  /** The whole log, in pages; others have their turn in between. False where there is none. */
  async #read(): Promise<boolean> {
    const fold = new SessionFold();
    for (;;) {
      const { events, isLast } = await this.#parts.log.readPage(this.sessionId, fold.seq, PAGE);
      fold.add(events);
      if (this.#isClosed) return false;
      if (isLast) break;
      await setImmediate();
    }
    const view = fold.finish();
    if (view === undefined) return false;
    this.#view = view;
    this.#waiting = [];
    this.#leave?.();
    this.#subscribe(view.seq);
    return true;
  }

  #subscribe(after: number): void {
    this.#leave = this.#parts.feed.subscribe(this.sessionId, after, {
      receive: (events) => {
        this.#heard = Math.max(this.#heard, events.at(-1)?.seq ?? 0);
        if (this.#view !== undefined) {
          this.#waiting.push(...events);
          if (this.#waiting.length > MOST_WAITING) this.#fold();
        }
        this.look();
      },
      end: (error) => this.#end(error),
    });
  }

  async #away({ turn, info }: SessionView): Promise<MachineAway | undefined> {
    if (turn === undefined || turn.finishedAt !== undefined) return undefined;
    const { db } = this.#parts;
    const runner = await db.selectFrom('hub_runners').selectAll().where('id', '=', info.runnerId).executeTakeFirst();
    return runner && awayOf(this.#parts, runner);
  }

  #fold(): void {
    if (this.#view === undefined || this.#waiting.length === 0) return;
    this.#view = foldHubEvents(this.#waiting, this.#view);
    this.#waiting = [];
  }

  /** The session was removed; or its log could not be read, and is read again. */
  #end(error: Error | undefined): void {
    if (this.#isClosed) return;
    if (error === undefined) {
      for (const onlooker of this.onlookers) onlooker.lose(this.sessionId);
      return;
    }
    this.#parts.logger.warn({ err: error, sessionId: this.sessionId }, 'could not read a session for chats; retrying');
    const after = this.#view === undefined ? 0 : this.#view.seq;
    this.#waiting = [];
    setTimeout(() => {
      if (!this.#isClosed) this.#subscribe(after);
    }, RETRY_MS).unref();
  }
}

/** The sessions that chats of this process show, each once. */
export class SessionWatches {
  readonly #parts: Needs;
  readonly #watches = new Map<string, SessionWatch>();
  readonly #rest: NodeJS.Timeout;
  readonly #unhear: () => void;

  constructor(parts: Needs) {
    this.#parts = parts;
    this.#unhear = parts.feed.hear('changes', (payload) => {
      const note = payload === undefined ? undefined : (JSON.parse(payload) as ChangeNote);
      if (note !== undefined && 'runner' in note) void this.#lookAtWork(note.runner);
    });
    this.#rest = setInterval(() => {
      for (const watch of this.#watches.values()) watch.rest();
    }, QUIET_MS / 3).unref();
  }

  /** Begins to look at a session from a number on; what happened up to there is only read when it is needed. */
  enter(sessionId: string, onlooker: Onlooker, after: number): SessionWatch {
    let watch = this.#watches.get(sessionId);
    if (watch === undefined) {
      watch = new SessionWatch(this.#parts, sessionId, after);
      this.#watches.set(sessionId, watch);
    }
    watch.enter(onlooker, after);
    return watch;
  }

  leave(watch: SessionWatch, onlooker: Onlooker): void {
    watch.onlookers.delete(onlooker);
    if (watch.onlookers.size > 0) return;
    watch.close();
    if (this.#watches.get(watch.sessionId) === watch) this.#watches.delete(watch.sessionId);
  }

  close(): void {
    this.#unhear();
    clearInterval(this.#rest);
    for (const watch of this.#watches.values()) watch.close();
    this.#watches.clear();
  }

  /** What runs on a machine is shown otherwise when that comes or goes. */
  async #lookAtWork(runnerId: string): Promise<void> {
    if (this.#watches.size === 0) return;
    const { db, logger } = this.#parts;
    try {
      const rows = await db
        .selectFrom('hub_sessions')
        .select('id')
        .where('runner_id', '=', runnerId)
        .where('turn_id', 'is not', null)
        .execute();
      for (const { id } of rows) this.#watches.get(id)?.look();
    } catch (err) {
      logger.warn({ err, runnerId }, 'chats could not be told that a machine came or went');
    }
  }
}
