import { join } from 'node:path';
import type { RoomMigrations, StoreEngine, StoreLocation } from '@dragoman/server';
import pg from 'pg';
import { onTestFinished } from 'vitest';
import { createDatabase } from './postgres-databases.ts';
import { tempFolder } from './temp-folder.ts';

/** Every store test runs on both. */
export const STORE_ENGINES: readonly StoreEngine[] = ['sqlite', 'postgres'];

/** A database of the running test's own: empty, or on PostgreSQL with the tables of these rooms, which openStore would make. */
export async function freshLocation(
  engine: StoreEngine,
  rooms: readonly RoomMigrations[] = [],
): Promise<StoreLocation> {
  const databaseFile = join(tempFolder(), 'dragoman.sqlite');
  if (engine === 'sqlite') return { databaseFile, databaseUrl: undefined };
  const { url, drop } = await createDatabase(rooms);
  onTestFinished(drop);
  return { databaseFile, databaseUrl: url };
}

/** Ends the connections of these programs to a PostgreSQL database, at its own end. Says how many there were. */
export async function cutPostgres(databaseUrl: string, applicationNames: readonly string[]): Promise<number> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  const { rowCount } = await client.query(
    `select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and application_name = any($1)`,
    [applicationNames],
  );
  await client.end();
  return rowCount ?? 0;
}

/** Runs statements in a PostgreSQL database, such as those that fill an empty one. */
export async function runSql(databaseUrl: string, statements: string): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    await client.query(statements);
  } finally {
    await client.end();
  }
}

/** The rows that a question to a PostgreSQL database is answered with. */
export async function readSql<Row extends object>(databaseUrl: string, question: string): Promise<Row[]> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    return (await client.query<Row>(question)).rows;
  } finally {
    await client.end();
  }
}

/** Counts what is told on a channel of a PostgreSQL database, from now on. */
export async function countNotices(
  databaseUrl: string,
  channel: string,
): Promise<{ readonly count: number; end(): Promise<void> }> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  let count = 0;
  client.on('notification', () => (count += 1));
  await client.query(`listen ${pg.escapeIdentifier(channel)}`);
  return {
    get count() {
      return count;
    },
    end: () => client.end(),
  };
}

/** Tells something on a channel of a PostgreSQL database, as another process would. */
export async function openTeller(
  databaseUrl: string,
  channel: string,
): Promise<{ tell(payload: string): Promise<void>; end(): Promise<void> }> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  return {
    async tell(payload) {
      await client.query('select pg_notify($1, $2)', [channel, payload]);
    },
    end: () => client.end(),
  };
}
