import { DragomanError } from '@dragoman/protocol';
import { type Kysely, sql } from 'kysely';

/** Whoever asks more often gets the last answer. */
const FRESH_MS = 1_000;

/**
 * Whether the disk of a PostgreSQL has room for rows.
 *
 * It is another machine's, so nothing is known before a write fails. From then on it is found out by trying: a row that
 * goes where another was needs no room, so its success says nothing.
 */
export class PostgresRoom {
  #hasFailed = false;
  #asking: Promise<void> | undefined;
  #askedAt = -Infinity;

  /** A write failed for want of room. */
  noteFull(): void {
    this.#hasFailed = true;
  }

  async isFull(db: Kysely<unknown>): Promise<boolean> {
    if (this.#hasFailed && performance.now() - this.#askedAt >= FRESH_MS) {
      this.#asking ??= this.#ask(db).finally(() => (this.#asking = undefined));
      await this.#asking;
    }
    return this.#hasFailed;
  }

  async #ask(db: Kysely<unknown>): Promise<void> {
    const isFull = await writeAndTakeBack(db).then(
      () => false,
      (error: unknown) => error instanceof DragomanError && error.code === 'disk-full',
    );
    this.#hasFailed = isFull;
    this.#askedAt = performance.now();
  }
}

/** Writes a few hundred kilobytes where our tables are. Of a table that is taken back nothing stays. */
async function writeAndTakeBack(db: Kysely<unknown>): Promise<void> {
  const attempt = await db.startTransaction().execute();
  try {
    await sql`create table dragoman_room (filling text)`.execute(attempt);
    await sql`insert into dragoman_room select repeat('x', 1000) from generate_series(1, 300)`.execute(attempt);
  } finally {
    await attempt.rollback().execute();
  }
}
