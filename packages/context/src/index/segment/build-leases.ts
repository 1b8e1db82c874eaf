import { randomUUID } from 'node:crypto';
import { databaseTime } from '@dragoman/server/base';
import { type Kysely, sql } from 'kysely';
import { packNames, unpackNames } from '../blobs/packed-names.ts';
import type { SegmentTables } from './segment-tables.ts';

/** A server that dies keeps others from its blobs no longer than this. */
const LEASE_MS = 10_000;
const RENEW_MS = 3_000;
/** Held by who looks for names that nobody builds and takes them. */
const TAKE_LOCK = 7_404_188_120_773;

/** Says which blobs a server is building a segment of. */
export interface BuildLease {
  /** They are in a segment now, or will not be. */
  release(): Promise<void>;
}

/**
 * Which blobs are being built into segments, and by whom, where several servers share a database: the one that took them in builds
 * them, and whoever is asked about them meanwhile waits for its segment. Two that build the same do no harm but their work, so
 * a lease that cannot be written keeps nobody from building.
 */
export class BuildLeases {
  readonly #db: Kysely<SegmentTables>;
  readonly #held = new Set<string>();
  readonly #releasing = new Set<Promise<unknown>>();
  readonly #renewal: NodeJS.Timeout;
  readonly #times: { leaseMs: number };

  constructor(db: Kysely<SegmentTables>, { leaseMs = LEASE_MS, renewMs = RENEW_MS } = {}) {
    this.#db = db;
    this.#times = { leaseMs };
    this.#renewal = setInterval(() => void this.#renew(), renewMs).unref();
  }

  /** Takes a lease on these. It counts as soon as the database has it. */
  take(names: readonly string[]): BuildLease {
    const id = randomUUID();
    this.#held.add(id);
    const row = { id, names: packNames(names), until: this.#end() };
    const taken = this.#db
      .insertInto('context_builds')
      .values(row)
      .execute()
      .catch(() => {});
    return this.#leaseOf(id, taken);
  }

  /** Takes a lease on so many of the names that nobody has one on. Two servers that ask at once do not get the same. */
  async takeFree(names: readonly string[], limit: number): Promise<{ lease: BuildLease; free: string[] }> {
    // What was released here a moment ago is nobody's, though its row may still be there.
    await Promise.all(this.#releasing);
    const id = randomUUID();
    this.#held.add(id);
    const lease = this.#leaseOf(id, Promise.resolve());
    try {
      const free = await this.#db.transaction().execute(async (transaction) => {
        await sql`select pg_advisory_xact_lock(${sql.lit(TAKE_LOCK)})`.execute(transaction);
        const rows = await transaction
          .selectFrom('context_builds')
          .select('names')
          .where('until', '>', databaseTime)
          .execute();
        const held = new Set(rows.flatMap((row) => unpackNames(row.names)));
        const some = names.filter((name) => !held.has(name)).slice(0, limit);
        const row = { id, names: packNames(some), until: this.#end() };
        if (some.length > 0) await transaction.insertInto('context_builds').values(row).execute();
        return some;
      });
      return { lease, free };
    } catch (error) {
      await lease.release();
      throw error;
    }
  }

  /** Those of the names that another server is building, which is told where a question waits for them. */
  async heldElsewhere(names: readonly string[], { isAsked = false } = {}): Promise<Set<string>> {
    if (names.length === 0) return new Set();
    const rows = await this.#db
      .selectFrom('context_builds')
      .select(['id', 'names', 'wanted'])
      .where('until', '>', databaseTime)
      .execute();
    const asked = new Set(names);
    const theirs = new Set<string>();
    const unaware: string[] = [];
    for (const row of rows) {
      if (this.#held.has(row.id)) continue;
      const held = unpackNames(row.names).filter((name) => asked.has(name));
      for (const name of held) theirs.add(name);
      if (held.length > 0 && row.wanted === null) unaware.push(row.id);
    }
    if (isAsked && unaware.length > 0)
      await this.#db.updateTable('context_builds').set({ wanted: 1 }).where('id', 'in', unaware).execute();
    return theirs;
  }

  /** Whether anything is being built here. */
  get areHeld(): boolean {
    return this.#held.size > 0;
  }

  /** Whether a question at another server waits for something that is being built here. */
  async areWanted(): Promise<boolean> {
    if (this.#held.size === 0) return false;
    const wanted = await this.#db
      .selectFrom('context_builds')
      .select('id')
      .where('id', 'in', [...this.#held])
      .where('wanted', '=', 1)
      .limit(1)
      .execute();
    return wanted.length > 0;
  }

  /** Renews nothing any more. Leases that were not released run out. */
  close(): void {
    clearInterval(this.#renewal);
  }

  #leaseOf(id: string, taken: Promise<unknown>): BuildLease {
    const remove = async () => {
      await taken;
      await this.#db
        .deleteFrom('context_builds')
        .where('id', '=', id)
        .execute()
        .catch(() => {}); // It runs out.
    };
    return {
      release: async () => {
        this.#held.delete(id);
        const removed = remove();
        this.#releasing.add(removed);
        await removed;
        this.#releasing.delete(removed);
      },
    };
  }

  async #renew(): Promise<void> {
    if (this.#held.size === 0) return;
    const renewed = this.#db
      .updateTable('context_builds')
      .set({ until: this.#end() })
      .where('id', 'in', [...this.#held]);
    const old = this.#db.deleteFrom('context_builds').where('until', '<', sql<number>`${databaseTime} - 3600000`);
    await renewed
      .execute()
      .then(() => old.execute())
      .catch(() => {}); // The next one may get through.
  }

  #end() {
    return sql<number>`${databaseTime} + ${sql.lit(this.#times.leaseMs)}`;
  }
}
