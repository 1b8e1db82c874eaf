import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import type { StoreEngine, StoreLocation } from '@dragoman/server';
import pg from 'pg';
import { inject, onTestFinished } from 'vitest';
import { tempFolder } from './temp-folder.ts';

/** Every store test runs on both. */
export const STORE_ENGINES: readonly StoreEngine[] = ['sqlite', 'postgres'];

/** An empty database of the running test's own. */
export async function freshLocation(engine: StoreEngine): Promise<StoreLocation> {
  const databaseFile = join(tempFolder(), 'dragoman.sqlite');
  return { databaseFile, databaseUrl: engine === 'sqlite' ? undefined : await freshPostgres() };
}

async function freshPostgres(): Promise<string> {
  const { baseUrl, client } = await (desk ??= openDesk());
  const name = `test_${randomUUID().replaceAll('-', '')}`;
  await client.query(`create database ${name} strategy file_copy`);
  // Nobody waits for it, and the whole server is gone at the end of the run.
  onTestFinished(() => void client.query(`drop database ${name} with (force)`).catch(() => {}));
  return `${baseUrl}/${name}`;
}

let desk: ReturnType<typeof openDesk> | undefined;

/** The one PostgreSQL of this run, and this worker's connection to it. */
async function openDesk(): Promise<{ baseUrl: string; client: pg.Client }> {
  const answer = await fetch(inject('postgresDesk'));
  const baseUrl = await answer.text();
  if (!answer.ok) throw new Error(baseUrl);
  const client = new pg.Client({ connectionString: `${baseUrl}/postgres` });
  client.on('error', () => {}); // The run is over.
  await client.connect();
  return { baseUrl, client };
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
