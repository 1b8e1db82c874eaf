import { type RawBuilder, sql } from 'kysely';
import type { StoreEngine } from './migration.ts';

/** The moment in milliseconds since 1970 by the clock of PostgreSQL. */
export const databaseTime: RawBuilder<number> = sql<number>`cast(extract(epoch from clock_timestamp()) * 1000 as bigint)`;

/**
 * The moment that leases and time limits in a store are counted by. The machines that share a PostgreSQL have clocks that
 * differ, so it is the database's. With SQLite there is one machine, and its own clock is the one.
 */
export function storeTime(engine: StoreEngine, now: () => number = Date.now): RawBuilder<number> {
  return engine === 'postgres' ? databaseTime : sql<number>`cast(${now()} as integer)`;
}
