import { createHash, randomUUID } from 'node:crypto';
import { openStore, type RoomMigrations } from '@dragoman/server';
import pg from 'pg';
import { inject } from 'vitest';

interface Server {
  baseUrl: string;
  client: pg.Client;
}

let server: Promise<Server> | undefined;
const shaped = new Map<string, Promise<void>>();

/** A new database of the run's one PostgreSQL, with the tables of these rooms already in it, and how to be rid of it. */
export async function createDatabase(rooms: readonly RoomMigrations[]): Promise<{ url: string; drop(): void }> {
  const { baseUrl, client } = await (server ??= connect());
  const template = rooms.length === 0 ? 'template1' : await templateFor(rooms);
  const name = `test_${randomUUID().replaceAll('-', '')}`;
  await client.query(`create database ${name} template ${template} strategy file_copy`);
  return {
    url: `${baseUrl}/${name}`,
    // Nobody waits for it, and the whole server is gone at the end of the run.
    drop: () => void client.query(`drop database ${name} with (force)`).catch(() => {}),
  };
}

async function connect(): Promise<Server> {
  const answer = await fetch(inject('postgresStarter'));
  const baseUrl = await answer.text();
  if (!answer.ok) throw new Error(baseUrl);
  const client = new pg.Client({ connectionString: `${baseUrl}/postgres` });
  client.on('error', () => {}); // The run is over.
  await client.connect();
  return { baseUrl, client };
}

/** Making the tables takes longer than most tests; the first that needs these makes them for all, in whichever worker. */
async function templateFor(rooms: readonly RoomMigrations[]): Promise<string> {
  const steps = rooms.map(({ room, migrations }) => [room, migrations.map(({ title, up }) => [title, String(up)])]);
  const name = `shaped_${createHash('sha256').update(JSON.stringify(steps)).digest('hex').slice(0, 32)}`;
  let made = shaped.get(name);
  if (made === undefined) shaped.set(name, (made = makeTemplate(name, rooms)));
  await made;
  return name;
}

async function makeTemplate(name: string, rooms: readonly RoomMigrations[]): Promise<void> {
  const { baseUrl } = await server!;
  // A connection of its own: the lock is the session's.
  const client = new pg.Client({ connectionString: `${baseUrl}/postgres` });
  await client.connect();
  try {
    await client.query(`select pg_advisory_lock(hashtextextended('${name}', 0))`);
    const { rowCount } = await client.query(`select from pg_database where datname = '${name}'`);
    if (rowCount !== 0) return;
    const unfinished = `${name}_unfinished`;
    await client.query(`create database ${unfinished}`);
    const store = await openStore({ databaseFile: '', databaseUrl: `${baseUrl}/${unfinished}` }, { rooms });
    await store.close();
    await client.query(`select pg_terminate_backend(pid, 60000) from pg_stat_activity where datname = '${unfinished}'`);
    await client.query(`alter database ${unfinished} rename to ${name}`);
  } finally {
    await client.end();
  }
}
