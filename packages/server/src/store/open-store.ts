import { existsSync } from 'node:fs';
import { DragomanError } from '@dragoman/protocol';
import { Kysely, sql } from 'kysely';
import { allMigrations, type AppliedMigration, migrate, pendingMigrations } from './migrate.ts';
import type { RoomMigrations, StoreEngine } from './migration.ts';
import type { PostgresChannels } from './postgres-channels.ts';
import { createPostgresDialect } from './postgres-dialect.ts';
import { createSqliteDialect } from './sqlite-dialect.ts';
import type { SqliteChannels } from './sqlite-channels.ts';
import type { ChannelListener, StoreChannel } from './store-channel.ts';

/** Where the rows are: a SQLite file, or a PostgreSQL database when an address is given. */
export interface StoreLocation {
  databaseFile: string;
  databaseUrl: string | undefined;
}

export interface OpenStoreOptions {
  rooms: readonly RoomMigrations[];
  /** Called when a PostgreSQL connection breaks while nobody uses it. */
  onIdleError?: (error: Error) => void;
}

/** The open database. Each room asks for it with the types of its own tables. */
export interface Store {
  engine: StoreEngine;
  applied: readonly AppliedMigration[];
  tables<Tables>(): Kysely<Tables>;
  /** Listens on a channel between the processes that share the database, and can tell something on it. */
  openChannel(name: string, listener: ChannelListener): Promise<StoreChannel>;
  /** Throws when the database does not answer. */
  ping(): Promise<void>;
  close(): Promise<void>;
}

/** Opens the database and migrates it. */
export async function openStore(location: StoreLocation, options: OpenStoreOptions): Promise<Store> {
  const { engine, db } = await connect(location, options.onIdleError);
  let applied: AppliedMigration[];
  try {
    applied = await migrate(db, engine, options.rooms);
  } catch (error) {
    await db.destroy();
    throw toStoreError(error, location);
  }

  let channels: Promise<SqliteChannels | PostgresChannels> | undefined;
  return {
    engine,
    applied,
    tables: <Tables>() => db as unknown as Kysely<Tables>,
    async openChannel(name, listener) {
      channels ??= createChannels(location, options.onIdleError);
      return (await channels).open(name, listener);
    },
    async ping() {
      await sql`select 1`.execute(db);
    },
    async close() {
      await (await channels)?.close();
      await db.destroy();
    },
  };
}

async function createChannels(
  { databaseFile, databaseUrl }: StoreLocation,
  onIdleError: (error: Error) => void = () => {},
): Promise<SqliteChannels | PostgresChannels> {
  if (databaseUrl === undefined) {
    const { SqliteChannels: Channels } = await import('./sqlite-channels.ts');
    return new Channels(databaseFile, onIdleError);
  }
  const { PostgresChannels: Channels } = await import('./postgres-channels.ts');
  return new Channels(databaseUrl, onIdleError);
}

/** What opening the store would do, without doing it: the steps still to come. Throws as `openStore` would. */
export async function inspectStore(
  location: StoreLocation,
  rooms: readonly RoomMigrations[],
): Promise<{ engine: StoreEngine; pending: AppliedMigration[] }> {
  if (location.databaseUrl === undefined && !existsSync(location.databaseFile))
    return { engine: 'sqlite', pending: allMigrations(rooms) };
  const { engine, db } = await connect(location);
  try {
    if (engine === 'sqlite') await checkSqlite(db, location);
    return { engine, pending: await pendingMigrations(db, rooms) };
  } catch (error) {
    throw toStoreError(error, location);
  } finally {
    await db.destroy();
  }
}

/** What SQLite says of a damaged file, with the file's name and what to do. */
function toStoreError(error: unknown, location: StoreLocation): unknown {
  const { errcode } = (error ?? {}) as { errcode?: number };
  if (errcode === undefined || location.databaseUrl !== undefined) return error;
  return new DragomanError(
    'database-unreachable',
    `${describeLocation(location)} cannot be used: ${describeCause(error)}. Restore a backup, or use another data folder.`,
    { cause: error },
  );
}

async function checkSqlite(db: Kysely<unknown>, location: StoreLocation): Promise<void> {
  const { rows } = await sql<{ quick_check: string }>`pragma quick_check(1)`.execute(db);
  const said = rows[0]?.quick_check ?? 'ok';
  if (said !== 'ok')
    throw new DragomanError('database-unreachable', `${describeLocation(location)} is damaged: ${said.split('\n')[0]}`);
}

async function connect(
  location: StoreLocation,
  onIdleError: (error: Error) => void = () => {},
): Promise<{ engine: StoreEngine; db: Kysely<unknown> }> {
  const db = new Kysely<unknown>({ dialect: await createDialect(location, onIdleError) });
  try {
    await sql`select 1`.execute(db);
  } catch (error) {
    await db.destroy();
    throw new DragomanError(
      'database-unreachable',
      `${describeLocation(location)} cannot be opened: ${describeCause(error)}.`,
      { cause: error, isRetryable: true },
    );
  }
  return { engine: location.databaseUrl === undefined ? 'sqlite' : 'postgres', db };
}

/** The database's place without the password, for messages. */
export function describeLocation(location: StoreLocation): string {
  if (location.databaseUrl === undefined) return `The database ${location.databaseFile}`;
  const url = URL.parse(location.databaseUrl);
  if (url === null) return 'The database in DRAGOMAN_DATABASE_URL';
  return `The PostgreSQL database ${url.pathname.slice(1)} at ${url.host}`;
}

async function createDialect(location: StoreLocation, onIdleError: (error: Error) => void) {
  if (location.databaseUrl === undefined) return createSqliteDialect(location.databaseFile);
  const url = URL.parse(location.databaseUrl);
  if (url === null || !['postgres:', 'postgresql:'].includes(url.protocol)) {
    throw new DragomanError(
      'config-invalid',
      'DRAGOMAN_DATABASE_URL is not a PostgreSQL address; expected postgres://user:password@host:5432/database.',
    );
  }
  return createPostgresDialect(location.databaseUrl, onIdleError);
}

function describeCause(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(describeCause).join('; ');
  return error instanceof Error ? error.message : String(error);
}
