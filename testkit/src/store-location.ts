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
  const baseUrl = inject('postgresUrl');
  const name = `test_${randomUUID().replaceAll('-', '')}`;
  await runOnServer(baseUrl, `create database ${name}`);
  onTestFinished(() => runOnServer(baseUrl, `drop database ${name} with (force)`));
  return `${baseUrl}/${name}`;
}

async function runOnServer(baseUrl: string, statement: string): Promise<void> {
  const client = new pg.Client({ connectionString: `${baseUrl}/postgres` });
  await client.connect();
  await client.query(statement);
  await client.end();
}
