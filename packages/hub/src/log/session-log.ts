import { DragomanError, type HubSessionInfo, type LoggedHubEvent } from '@dragoman/protocol';
import type { Store, StoreEngine } from '@dragoman/server/base';
import type { Kysely, Transaction } from 'kysely';
import type { EventFeed } from '../feed/event-feed.ts';
import type { HubLog } from '../hub-log.ts';
import type { HubTables } from '../hub-tables.ts';
import { copySession } from './copy-session.ts';
import { type Aftermath, LockedSession } from './locked-session.ts';
import { type LogPage, readLast, readPage } from './read-events.ts';
import type { NewEvent, React, SessionChange, SessionRow } from './session-change.ts';
import { lockSessions, newSessionRow } from './session-rows.ts';

/** What a log stands on. */
export interface SessionLogOptions {
  store: Store;
  feed: EventFeed;
  react: React;
  log: HubLog;
}

/** A session to be. */
export interface NewSession {
  /** Who started it, for the roles. */
  byUserId: string | null;
  at: number;
  /** What happens in it at once; reacted to like everything else. */
  more?: readonly NewEvent[];
  /** Comes after that, in the same transaction. */
  work?: (change: SessionChange) => Promise<void>;
}

/** The sessions of a transaction that are there, each locked. */
export type LockedSessions = ReadonlyMap<string, LockedSession>;

/** How often a transaction is tried that meets another one in a deadlock. */
const ATTEMPTS = 5;

/**
 * The log of every session: the only way to change one.
 *
 * Events get the next numbers of their session in the database, where its row is locked, so any number of processes may
 * append. What belongs to an event is written in the same transaction, by who appends or by the reaction. Once that is
 * stored for good, those who follow the session are told.
 */
export class SessionLog {
  readonly #options: SessionLogOptions;
  readonly #db: Kysely<HubTables>;
  /** What the database is, for statements that differ. */
  readonly engine: StoreEngine;

  constructor(options: SessionLogOptions) {
    this.#options = options;
    this.engine = options.store.engine;
    this.#db = options.store.tables<HubTables>();
  }

  /** Makes a session. One that is there already is left as it is and comes back with `isNew: false`. */
  create(info: HubSessionInfo, options: NewSession): Promise<{ session: SessionRow; isNew: boolean }> {
    const { byUserId, at, more = [], work } = options;
    return this.#transact(async (db, lock) => {
      const row = newSessionRow(info, { byUserId, at });
      const { numInsertedOrUpdatedRows } = await db
        .insertInto('hub_sessions')
        .values(row)
        .onConflict((conflict) => conflict.doNothing())
        .executeTakeFirst();
      const change = (await lock([info.id])).get(info.id)!;
      const isNew = numInsertedOrUpdatedRows === 1n;
      if (isNew) {
        await change.append([{ at, event: { type: 'session-created', session: info } }, ...more]);
        await work?.(change);
      }
      return { session: { ...change.session }, isNew };
    });
  }

  /**
   * Works on one session in a transaction: looks at rows, writes rows, appends. What it returns comes back once
   * everything is stored for good. Throws `not-found` for a session that is not there.
   */
  change<Result>(sessionId: string, work: (change: SessionChange) => Promise<Result>): Promise<Result> {
    return this.#transact(async (_, lock) => work(present(sessionId, await lock([sessionId]))));
  }

  /** The same for several sessions at once, all or nothing; those that are not there are left out of the map. */
  changeMany<Result>(
    sessionIds: Iterable<string>,
    work: (sessions: LockedSessions, db: Transaction<HubTables>) => Promise<Result>,
  ): Promise<Result> {
    return this.#transact(async (db, lock) => work(await lock(sessionIds), db));
  }

  /** Appends to one session. Comes back with what is stored, once that is for good. */
  append(sessionId: string, events: readonly NewEvent[]): Promise<LoggedHubEvent[]> {
    return this.#transact(async (_, lock) => present(sessionId, await lock([sessionId])).store(events));
  }

  /**
   * Events after a number, the oldest first, in pages that fit into little memory, however large the events are. A session
   * that is not there has none.
   */
  readPage(sessionId: string, after: number, limit: number): Promise<LogPage> {
    return readPage({ db: this.#db, engine: this.engine }, sessionId, { after, limit });
  }

  /** The last events, the oldest of them first, as many as fit into a page. */
  readLast(sessionId: string, count: number): Promise<LoggedHubEvent[]> {
    return readLast({ db: this.#db, engine: this.engine }, sessionId, count);
  }

  /**
   * Copies what another session says up to a number into this one, behind what it says already, without a reaction. What
   * is true of the other one only is left out: its name and that of its agent's session, and how its agent is. What was
   * open at that number is open here, and for the caller to end.
   */
  async copy(from: { sessionId: string; throughSeq: number }, to: SessionChange): Promise<void> {
    if (!(to instanceof LockedSession)) throw new TypeError('A session is copied into one that is locked.');
    await copySession(from, to);
  }

  async #transact<Result>(
    work: (
      db: Transaction<HubTables>,
      lock: (sessionIds: Iterable<string>) => Promise<Map<string, LockedSession>>,
    ) => Promise<Result>,
  ): Promise<Result> {
    const { react } = this.#options;
    for (let attempt = 1; ; attempt++) {
      const aftermath: Aftermath = { stored: [], work: [] };
      try {
        const result = await this.#db.transaction().execute((db) => {
          const place = { db, engine: this.engine };
          return work(db, async (sessionIds) => {
            const rows = await lockSessions(place, sessionIds);
            return new Map(rows.map((row) => [row.id, new LockedSession(place, row, { react, aftermath })]));
          });
        });
        this.#tell(aftermath);
        return result;
      } catch (error) {
        if (attempt === ATTEMPTS || !isDeadlock(error)) throw error;
      }
    }
  }

  #tell({ stored, work }: Aftermath): void {
    for (const { sessionId, from, events } of stored) this.#options.feed.publish(sessionId, { from, events });
    for (const each of work) {
      try {
        each();
      } catch (error) {
        this.#options.log.warn({ err: error }, 'what should follow a change of a session failed');
      }
    }
  }
}

function present(sessionId: string, sessions: ReadonlyMap<string, LockedSession>): LockedSession {
  const session = sessions.get(sessionId);
  if (session === undefined) throw new DragomanError('not-found', `There is no session ${sessionId}.`);
  return session;
}

/** PostgreSQL: deadlock_detected and serialization_failure. */
function isDeadlock(error: unknown): boolean {
  const { code } = error as { code?: string };
  return code === '40P01' || code === '40001';
}
