import { existsSync } from 'node:fs';
import { dirname } from 'node:path';
import { DragomanError } from '@dragoman/protocol';
import { Kysely, sql } from 'kysely';
import { allMigrations, type AppliedMigration, migrate, pendingMigrations } from './migrate.ts';
import type { RoomMigrations, StoreEngine } from './migration.ts';
import { DiskRoom } from './disk-room.ts';
import type { PostgresChannels } from './postgres-channels.ts';
import { createPostgresDialect } from './postgres-dialect.ts';
import { PostgresRoom } from './postgres-room.ts';
import { createSqliteDialect } from './sqlite-dialect.ts';
import type { SqliteChannels } from './sqlite-channels.ts';
import type { ChannelListener, StoreChannel } from './store-channel.ts';

/** SQLite's numbers for what can be wrong with a file. */
const SQLITE = {
  busy: 5,
  locked: 6,
  readOnly: 8,
  io: 10,
  corrupt: 11,
  full: 13,
  cannotOpen: 14,
  notDatabase: 26,
};

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

/** Where there may be no room left: where the database's file is or would be, and where PostgreSQL has its own. */
interface Rooms {
  folder: DiskRoom;
  postgres: PostgresRoom;
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
  /** Whether something cannot be written for want of room: a row, or a file beside the database's. */
  isDiskFull(): Promise<boolean>;
  close(): Promise<void>;
}

/** Opens the database and migrates it. */
export async function openStore(location: StoreLocation, options: OpenStoreOptions): Promise<Store> {
  const rooms: Rooms = { folder: new DiskRoom(dirname(location.databaseFile)), postgres: new PostgresRoom() };
  const { engine, db } = await connect(location, options.onIdleError, rooms);
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
      // A file that was deleted takes what is written to it, and nobody will ever find it.
      if (location.databaseUrl === undefined && !existsSync(location.databaseFile))
        throw new DragomanError('unavailable', `The database ${location.databaseFile} was deleted.`);
      await sql`select 1`.execute(db);
    },
    isDiskFull: async () => rooms.folder.isFull() || rooms.postgres.isFull(db),
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

/** What SQLite says of a file that it cannot use, with the file's name and what helps against that. */
function toStoreError(error: unknown, location: StoreLocation): unknown {
  const errcode = errcodeOf(error);
  if (errcode === undefined || location.databaseUrl !== undefined) return error;
  return new DragomanError(
    'database-unreachable',
    `${describeLocation(location)} cannot be used: ${describeCause(error)}. ${whatHelps(errcode)}`,
    { cause: error, isRetryable: isLocked(errcode) },
  );
}

/** SQLite's number of what happened, as it was said or told in our own words. */
function errcodeOf(error: unknown): number | undefined {
  const { errcode, cause } = (error ?? {}) as { errcode?: number; cause?: unknown };
  return errcode ?? (cause === undefined ? undefined : errcodeOf(cause));
}

/** Only a damaged file is a reason to part with it. */
function whatHelps(errcode: number): string {
  const { busy, locked, readOnly, io, corrupt, full, cannotOpen, notDatabase } = SQLITE;
  switch (errcode & 0xff) {
    case busy:
    case locked:
      return 'Another process is writing to it and does not finish; nothing is damaged. Wait for it or end it, then start again.';
    case corrupt:
    case notDatabase:
      return 'Restore a backup, or use another data folder.';
    case full:
      return 'The disk is full. Free up some space, or use another data folder.';
    case readOnly:
    case cannotOpen:
      return 'Allow this user to write to the file and its folder, or use another data folder.';
    case io:
      return 'The disk does not do what it is asked to. Check it and its free space, then start again.';
    default:
      return 'Start again; if that does not help, use another data folder.';
  }
}

function isLocked(errcode: number): boolean {
  return [SQLITE.busy, SQLITE.locked].includes(errcode & 0xff);
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
  rooms?: Rooms,
): Promise<{ engine: StoreEngine; db: Kysely<unknown> }> {
  const db = new Kysely<unknown>({ dialect: await createDialect(location, onIdleError, rooms) });
  try {
    await sql`select 1`.execute(db);
  } catch (error) {
    await db.destroy();
    const errcode = errcodeOf(error);
    const help = errcode === undefined ? '' : ` ${whatHelps(errcode)}`;
    throw new DragomanError(
      'database-unreachable',
      `${describeLocation(location)} cannot be opened: ${describeCause(error)}.${help}`,
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

async function createDialect(location: StoreLocation, onIdleError: (error: Error) => void, rooms?: Rooms) {
  if (location.databaseUrl === undefined) return createSqliteDialect(location.databaseFile, rooms?.folder);
  const url = URL.parse(location.databaseUrl);
  if (url === null || !['postgres:', 'postgresql:'].includes(url.protocol)) {
    throw new DragomanError(
      'config-invalid',
      'DRAGOMAN_DATABASE_URL is not a PostgreSQL address; expected postgres://user:password@host:5432/database.',
    );
  }
  return createPostgresDialect(location.databaseUrl, onIdleError, rooms?.postgres);
}

function describeCause(error: unknown): string {
  // Our own words say less than the database's.
  if (error instanceof DragomanError && error.cause !== undefined) return describeCause(error.cause);
  if (error instanceof AggregateError) return error.errors.map(describeCause).join('; ');
  return error instanceof Error ? error.message : String(error);
}
