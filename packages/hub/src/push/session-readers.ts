import { randomUUID } from 'node:crypto';
import { databaseTime, type StoreEngine } from '@dragoman/server/base';
import { type Kysely, sql } from 'kysely';
import type { HubLog } from '../hub-log.ts';
import type { PushTables } from './push-tables.ts';

/** A process tells this often that its readers are still there. */
const SIGN_MS = 15_000;
/** Without a sign for so long, the readers of another process count as gone. */
const GONE_AFTER_MS = 40_000;

/** What the readers are kept with. */
export interface SessionReadersOptions {
  db: Kysely<PushTables>;
  engine: StoreEngine;
  logger: HubLog;
}

/**
 * Who has which session open. Where several processes share a PostgreSQL it is written down, because the one that notifies
 * people may be another than the one they are connected to.
 */
export class SessionReaders {
  readonly #options: SessionReadersOptions;
  readonly #processId = randomUUID();
  readonly #here = new Map<string, number>();
  readonly #sign: NodeJS.Timeout | undefined;
  /** What is written down, one after the other. */
  #writing: Promise<unknown> = Promise.resolve();

  constructor(options: SessionReadersOptions) {
    this.#options = options;
    if (options.engine === 'sqlite') return;
    this.#sign = setInterval(() => {
      if (this.#here.size > 0) this.#write((db) => this.#own(db).set({ seen_at: databaseTime }).execute());
    }, SIGN_MS);
    this.#sign.unref();
  }

  /** Notes that a person reads a session. Returns how to leave, which may be called more than once. */
  enter(userId: string, sessionId: string): () => void {
    const key = `${userId} ${sessionId}`;
    const count = (this.#here.get(key) ?? 0) + 1;
    this.#here.set(key, count);
    if (count === 1) this.#tell(userId, sessionId, true);
    let isHere = true;
    return () => {
      if (!isHere) return;
      isHere = false;
      const left = this.#here.get(key)! - 1;
      if (left > 0) return void this.#here.set(key, left);
      this.#here.delete(key);
      this.#tell(userId, sessionId, false);
    };
  }

  /** Those of some people who have a session open now. */
  async readersOf(sessionId: string, userIds: readonly string[]): Promise<ReadonlySet<string>> {
    const here = new Set(userIds.filter((userId) => this.#here.has(`${userId} ${sessionId}`)));
    const others = userIds.filter((userId) => !here.has(userId));
    if (this.#options.engine === 'sqlite' || others.length === 0) return here;
    await this.#writing;
    const rows = await this.#options.db
      .selectFrom('hub_readers')
      .select('user_id')
      .where('session_id', '=', sessionId)
      .where('user_id', 'in', others)
      .where('process_id', '!=', this.#processId)
      .where('seen_at', '>', ago(GONE_AFTER_MS))
      .execute();
    for (const { user_id } of rows) here.add(user_id);
    return here;
  }

  async close(): Promise<void> {
    clearInterval(this.#sign);
    this.#here.clear();
    this.#write(async (db) => {
      await db.deleteFrom('hub_readers').where('process_id', '=', this.#processId).execute();
      await db
        .deleteFrom('hub_readers')
        .where('seen_at', '<', ago(10 * GONE_AFTER_MS))
        .execute();
    });
    await this.#writing;
  }

  #own(db: Kysely<PushTables>) {
    return db.updateTable('hub_readers').where('process_id', '=', this.#processId);
  }

  #tell(userId: string, sessionId: string, isHere: boolean): void {
    const row = { process_id: this.#processId, user_id: userId, session_id: sessionId };
    this.#write((db) =>
      isHere
        ? db
            .insertInto('hub_readers')
            .values({ ...row, seen_at: databaseTime })
            .onConflict((conflict) => conflict.doNothing())
            .execute()
        : db
            .deleteFrom('hub_readers')
            .where('process_id', '=', row.process_id)
            .where('user_id', '=', userId)
            .where('session_id', '=', sessionId)
            .execute(),
    );
  }

  #write(work: (db: Kysely<PushTables>) => Promise<unknown>): void {
    const { db, engine, logger } = this.#options;
    if (engine === 'sqlite') return;
    this.#writing = this.#writing
      .then(() => work(db))
      .catch((err: unknown) => logger.warn({ err }, 'who reads a session could not be noted'));
  }
}

/** So long ago, by the clock of the database: those of the processes differ. */
function ago(ms: number) {
  return sql<number>`${databaseTime} - ${sql.lit(ms)}`;
}
