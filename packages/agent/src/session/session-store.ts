import { DragomanError, type LoggedEvent, type SessionInfo } from '@dragoman/protocol';
import { describeHolder, isGone, newHolder, type Store, type StoreEngine, storeTime } from '@dragoman/server/base';
import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { SessionTables } from './session-tables.ts';

/** A session as lists show it. */
export interface SessionListing {
  id: string;
  root: string;
  cwd: string;
  title: string;
  parentID: string | undefined;
  createdAt: number;
  updatedAt: number;
}

/** How long a process may hold a session without a sign of life. */
export const HOLD_MS = 30_000;

/** All sessions of this process are held under one name. */
const THIS_PROCESS = newHolder();

/** The logs of all sessions. It only ever appends, and forgets a session as a whole or not at all. */
export class SessionStore {
  readonly #db: Kysely<SessionTables>;
  readonly #engine: StoreEngine;
  /** Those that are open here: a session has one writer, also inside one process. */
  readonly #held = new Set<string>();

  constructor(store: Store) {
    this.#db = store.tables<SessionTables>();
    this.#engine = store.engine;
  }

  /** Makes the session known with its first event, held by this process. */
  async create(info: SessionInfo, first: LoggedEvent): Promise<void> {
    this.#held.add(info.id);
    await this.#db.transaction().execute(async (db) => {
      await db
        .insertInto('agent_sessions')
        .values({
          id: info.id,
          root: info.root,
          cwd: info.cwd,
          title: info.title,
          parent_id: info.parentID ?? null,
          created_at: info.time.created,
          updated_at: info.time.created,
          holder: THIS_PROCESS,
          held_until: this.#holdEnd(),
        })
        .execute();
      await db
        .insertInto('agent_events')
        .values({ session_id: info.id, seq: first.seq, events: JSON.stringify([first]) })
        .execute();
    });
  }

  /**
   * Stores events in one row, if this process holds the session.
   *
   * The row of the session is locked meanwhile: what a process sent before it died is there before another one takes the
   * session and reads it, or it is never written.
   */
  async append(sessionID: string, events: readonly LoggedEvent[]): Promise<void> {
    const last = events.at(-1);
    if (last === undefined) return;
    const { numInsertedOrUpdatedRows } = await this.#db
      .insertInto('agent_events')
      .columns(['session_id', 'seq', 'events'])
      .expression((from) =>
        from
          .selectFrom('agent_sessions')
          .select(({ val, cast }) => [
            'id',
            cast<number>(val(last.seq), 'bigint').as('seq'),
            cast<string>(val(JSON.stringify(events)), 'text').as('events'),
          ])
          .where('id', '=', sessionID)
          .where('holder', '=', THIS_PROCESS)
          .$if(this.#engine === 'postgres', (query) => query.forShare()),
      )
      .executeTakeFirst();
    if (numInsertedOrUpdatedRows === 0n)
      throw new DragomanError('conflict', `Session ${sessionID} is now in use by another process.`);
  }

  /** Notes what lists show. */
  async note(sessionID: string, { title, updatedAt }: { title: string; updatedAt: number }): Promise<void> {
    await this.#db
      .updateTable('agent_sessions')
      .set({ title, updated_at: updatedAt })
      .where('id', '=', sessionID)
      .execute();
  }

  /** Every event of a session, in order. */
  async read(sessionID: string): Promise<LoggedEvent[]> {
    const rows = await this.#db
      .selectFrom('agent_events')
      .select('events')
      .where('session_id', '=', sessionID)
      .orderBy('seq')
      .execute();
    return rows.flatMap((row) => JSON.parse(row.events) as LoggedEvent[]);
  }

  /** Sessions that people started, the latest first; of one project where it is named. */
  async list({ root, limit = 50 }: { root?: string; limit?: number } = {}): Promise<SessionListing[]> {
    const rows = await this.#db
      .selectFrom('agent_sessions')
      .selectAll()
      .where('parent_id', 'is', null)
      .$if(root !== undefined, (query) => query.where('root', '=', root!))
      .orderBy('updated_at', 'desc')
      .orderBy('id', 'desc')
      .limit(limit)
      .execute();
    return rows.map((row) => ({
      id: row.id,
      root: row.root,
      cwd: row.cwd,
      title: row.title,
      parentID: row.parent_id ?? undefined,
      createdAt: row.created_at,
      updatedAt: row.updated_at,
    }));
  }

  /** Takes a session for this process, or says who has it. A holder that died is no holder. */
  async hold(sessionID: string): Promise<void> {
    if (this.#held.has(sessionID)) throw new DragomanError('conflict', `Session ${sessionID} is already open here.`);
    this.#held.add(sessionID);
    try {
      await this.#take(sessionID);
    } catch (error) {
      this.#held.delete(sessionID);
      throw error;
    }
  }

  async #take(sessionID: string): Promise<void> {
    await this.#db.transaction().execute(async (db) => {
      // SQLite has locked everything; elsewhere two that ask at once would both find it free.
      const row = await db
        .selectFrom('agent_sessions')
        .select(['holder', this.#holdLeft()])
        .where('id', '=', sessionID)
        .$if(this.#engine === 'postgres', (query) => query.forUpdate())
        .executeTakeFirst();
      if (row === undefined) throw noSuchSession(sessionID);
      refuseWhatOthersHold({ id: sessionID, ...row });
      await db
        .updateTable('agent_sessions')
        .set({ holder: THIS_PROCESS, held_until: this.#holdEnd() })
        .where('id', '=', sessionID)
        .execute();
    });
  }

  /** Whether another process works on a session. */
  async isHeldElsewhere(sessionID: string): Promise<boolean> {
    const row = await this.#db
      .selectFrom('agent_sessions')
      .select(['holder', this.#holdLeft()])
      .where('id', '=', sessionID)
      .executeTakeFirst();
    return row !== undefined && isHeldByOthers(row);
  }

  /** Says that this process still works on these sessions. */
  async keepHolding(sessionIDs: readonly string[]): Promise<void> {
    if (sessionIDs.length === 0) return;
    await this.#db
      .updateTable('agent_sessions')
      .set({ held_until: this.#holdEnd() })
      .where('id', 'in', sessionIDs)
      .where('holder', '=', THIS_PROCESS)
      .execute();
  }

  /** Lets others work on it. */
  async release(sessionID: string): Promise<void> {
    this.#held.delete(sessionID);
    await this.#db
      .updateTable('agent_sessions')
      .set({ holder: null, held_until: null })
      .where('id', '=', sessionID)
      .where('holder', '=', THIS_PROCESS)
      .execute();
  }

  /**
   * Forgets a session and those of its tasks, unless another process works on one of them. Gives back the ids of all
   * that are gone.
   */
  async remove(sessionID: string): Promise<string[]> {
    return this.#db.transaction().execute(async (db) => {
      const columns = ['id' as const, 'holder' as const, this.#holdLeft()];
      let found = await db.selectFrom('agent_sessions').select(columns).where('id', '=', sessionID).execute();
      if (found.length === 0) throw noSuchSession(sessionID);
      const all = new Set<string>();
      while (found.length > 0) {
        for (const row of found) {
          refuseWhatOthersHold(row);
          all.add(row.id);
        }
        const parents = found.map(({ id }) => id);
        found = await db
          .selectFrom('agent_sessions')
          .select(columns)
          .where('parent_id', 'in', parents)
          .where('id', 'not in', [...all])
          .execute();
      }
      const ids = [...all];
      await db.deleteFrom('agent_events').where('session_id', 'in', ids).execute();
      await db.deleteFrom('agent_sessions').where('id', 'in', ids).execute();
      return ids;
    });
  }

  /** Until when a session is held from now on, by the clock that the processes share. */
  #holdEnd(): RawBuilder<number> {
    return sql<number>`${storeTime(this.#engine)} + ${sql.lit(HOLD_MS)}`;
  }

  /** How long a session is still held, in milliseconds. */
  #holdLeft() {
    return sql<number | null>`held_until - ${storeTime(this.#engine)}`.as('left');
  }

  /** How many sessions people started, and when they last worked on one. */
  async summary(): Promise<{ count: number; updatedAt: number | undefined }> {
    const row = await this.#db
      .selectFrom('agent_sessions')
      .select(({ fn }) => [fn.countAll().as('count'), fn.max('updated_at').as('updated_at')])
      .where('parent_id', 'is', null)
      .executeTakeFirstOrThrow();
    return { count: Number(row.count), updatedAt: row.updated_at === null ? undefined : Number(row.updated_at) };
  }
}

/** What is said of an id that nobody knows. */
export function noSuchSession(sessionID: string): DragomanError {
  return new DragomanError('not-found', `Session ${sessionID} not found. List them with: dragoman sessions list --all`);
}

type Held = Pick<SessionTables['agent_sessions'], 'id' | 'holder'> & { left: number | null };

function isHeldByOthers({ holder, left }: Omit<Held, 'id'>): boolean {
  return holder !== null && holder !== THIS_PROCESS && (left ?? 0) > 0 && !isGone(holder);
}

function refuseWhatOthersHold(held: Held): void {
  if (!isHeldByOthers(held)) return;
  throw new DragomanError(
    'conflict',
    `Session ${held.id} is in use by another process (${describeHolder(held.holder!)}).`,
  );
}
