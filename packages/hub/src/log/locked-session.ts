import { DragomanError, type LoggedHubEvent } from '@dragoman/protocol';
import { sql, type Transaction } from 'kysely';
import type { HubTables } from '../hub-tables.ts';
import type { NewEvent, React, SessionChange, SessionRow } from './session-change.ts';
import { type Place, writeSessions } from './session-rows.ts';
import { storeEvents, storeParts } from './store-events.ts';

/** What has to be told once a transaction is over. */
export interface Aftermath {
  stored: { sessionId: string; from: number; events: readonly LoggedHubEvent[] }[];
  work: (() => void)[];
}

/** An answer to an answer to an answer …: beyond this, two reactions are calling each other without end. */
const MAX_DEPTH = 50;

/** A session in a transaction, whose row is held. */
export class LockedSession implements SessionChange {
  readonly db: Transaction<HubTables>;
  readonly #place: Place;
  readonly #row: SessionRow;
  readonly #react: React;
  readonly #aftermath: Aftermath;
  #depth = 0;
  readonly events: readonly LoggedHubEvent[] = [];

  constructor(
    { db, engine }: { db: Transaction<HubTables>; engine: Place['engine'] },
    row: SessionRow,
    { react, aftermath }: { react: React; aftermath: Aftermath },
  ) {
    this.db = db;
    this.#place = { db, engine };
    this.#row = row;
    this.#react = react;
    this.#aftermath = aftermath;
  }

  get session(): Readonly<SessionRow> {
    return this.#row;
  }

  async append(events: readonly NewEvent[]): Promise<void> {
    await this.store(events);
  }

  /** As `append`, and says under which numbers they are stored. */
  async store(events: readonly NewEvent[]): Promise<LoggedHubEvent[]> {
    if (events.length === 0) return [];
    const stored = await this.write((place, row) => storeEvents(place, row, events));
    if (stored.some(({ event }) => !('blockId' in event))) await this.#reactTo(stored);
    return stored;
  }

  /**
   * Appends to several sessions of one transaction. Those with nothing but blocks, which ask for no reaction, are stored
   * together: over a network each statement is a journey.
   */
  static async appendToAll(news: readonly { session: LockedSession; events: readonly NewEvent[] }[]): Promise<void> {
    const together = news.filter(({ events }) => events.length > 0 && events.every(({ event }) => 'blockId' in event));
    const [first] = together;
    if (first !== undefined) {
      const place = first.session.#place;
      const rows = together.map(({ session }) => session.#row);
      const before = rows.map((row) => row.seq);
      const parts = together.map(({ session, events }) => ({ session: session.#row, events }));
      const stored = await storeParts(place, parts);
      await writeSessions(place, rows);
      for (const [index, events] of stored.entries())
        first.session.#aftermath.stored.push({ sessionId: rows[index]!.id, from: before[index]!, events });
    }
    for (const each of news) if (!together.includes(each)) await each.session.append(each.events);
  }

  /** Work that is undone where it fails, while the transaction goes on. */
  async attempt(work: () => Promise<void>): Promise<void> {
    const [row, stored, told] = [{ ...this.#row }, this.#aftermath.stored.length, this.#aftermath.work.length];
    await sql`savepoint attempt`.execute(this.db);
    try {
      await work();
      await sql`release savepoint attempt`.execute(this.db);
    } catch (error) {
      await sql`rollback to savepoint attempt`.execute(this.db);
      Object.assign(this.#row, row);
      this.#aftermath.stored.length = stored;
      this.#aftermath.work.length = told;
      throw error;
    }
  }

  /** Stores in its own way, without a reaction; those who follow are told of what comes back. */
  async write(work: (place: Place, row: SessionRow) => Promise<LoggedHubEvent[]>): Promise<LoggedHubEvent[]> {
    const from = this.#row.seq;
    const events = await work(this.#place, this.#row);
    await writeSessions(this.#place, [this.#row]);
    this.#aftermath.stored.push({ sessionId: this.#row.id, from, events });
    return events;
  }

  async set(columns: Partial<Omit<SessionRow, 'id' | 'seq'>>): Promise<void> {
    Object.assign(this.#row, columns);
    await writeSessions(this.#place, [this.#row]);
  }

  afterCommit(work: () => void): void {
    this.#aftermath.work.push(work);
  }

  async #reactTo(events: readonly LoggedHubEvent[]): Promise<void> {
    if (this.#depth >= MAX_DEPTH)
      throw new DragomanError('internal', `Session ${this.#row.id} reacts to its own events without end.`);
    this.#depth += 1;
    try {
      await this.#react({
        db: this.db,
        session: this.#row,
        events,
        append: (more) => this.append(more),
        set: (columns) => this.set(columns),
        afterCommit: (work) => this.afterCommit(work),
      });
    } finally {
      this.#depth -= 1;
    }
  }
}
