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
  const baseUrl = await postgresUrl();
  const name = `test_${randomUUID().replaceAll('-', '')}`;
  await runOnServer(baseUrl, `create database ${name}`);
  onTestFinished(() => runOnServer(baseUrl, `drop database ${name} with (force)`));
  return `${baseUrl}/${name}`;
}

let baseUrl: Promise<string> | undefined;

/** The address of the one PostgreSQL of this run. */
function postgresUrl(): Promise<string> {
  return (baseUrl ??= (async () => {
    const answer = await fetch(inject('postgresDesk'));
    const text = await answer.text();
    if (!answer.ok) throw new Error(text);
    return text;
  })());
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

async function runOnServer(baseUrl: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: `${baseUrl}/postgres` });
  await client.connect();
  await client.query(statement);
  await client.end();
}
