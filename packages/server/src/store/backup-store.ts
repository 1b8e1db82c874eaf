import { copyFileSync, existsSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { DragomanError } from '@dragoman/protocol';
import { type Kysely, sql } from 'kysely';
import type { RoomMigrations } from './migration.ts';
import { describeLocation, openStore, type Store, type StoreLocation } from './open-store.ts';

type Row = Record<string, unknown>;
type AnyTables = Record<string, Row>;

/** What a backup holds beside the rows of the store, by name. */
export type BackupNotes = Readonly<Record<string, string>>;

const NOTES_TABLE = 'dragoman_backup_notes';

/** Rows that travel together from one database to the other. */
const BATCH_ROWS = 500;

/**
 * Writes a consistent copy of the whole store to one SQLite file, while servers go on writing.
 *
 * From PostgreSQL, too: the tables are the same on both engines, so a backup of either can be restored into either.
 * The file appears under its name only when it is complete. Notes are what belongs to the data and stands elsewhere; they
 * come back when the file is restored.
 */
export async function backupStore(
  location: StoreLocation,
  rooms: readonly RoomMigrations[],
  file: string,
  notes: BackupNotes = {},
): Promise<void> {
  if (existsSync(file))
    throw new DragomanError('conflict', `${file} already exists. Name a file that does not exist yet.`);
  const draft = `${resolve(file)}.partial`;
  try {
    rmSync(draft, { force: true });
    if (location.databaseUrl === undefined) copySqliteFile(location, draft);
    else await copyFromPostgres(location, rooms, draft);
    writeNotes(draft, notes);
    renameSync(draft, file);
  } catch (error) {
    rmSync(draft, { force: true, recursive: true });
    if (error instanceof DragomanError) throw error;
    throw new DragomanError(
      'internal',
      `${describeLocation(location)} could not be copied to ${file}: ${(error as Error).message}`,
      { cause: error },
    );
  }
}

/**
 * Puts a backup's rows into an empty store. A backup made by an older version is brought up to date on the way. Resolves
 * with the notes that were made with it.
 */
export async function restoreStore(
  file: string,
  location: StoreLocation,
  rooms: readonly RoomMigrations[],
): Promise<BackupNotes> {
  if (!existsSync(file)) throw new DragomanError('not-found', `There is no backup at ${file}.`);
  refuseOtherFiles(file);
  const scratch = mkdtempSync(join(dirname(location.databaseFile), 'restore-'));
  try {
    const copy = join(scratch, 'backup.sqlite');
    copyFileSync(file, copy);
    const source = await openStore({ databaseFile: copy, databaseUrl: undefined }, { rooms });
    const target = await openStore(location, { rooms });
    try {
      await copyRows(source, target, location);
    } finally {
      await Promise.all([source.close(), target.close()]);
    }
    return readNotes(copy);
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

function writeNotes(file: string, notes: BackupNotes): void {
  const database = new DatabaseSync(file);
  try {
    database.exec(`create table ${NOTES_TABLE} (name text primary key, note text not null)`);
    const write = database.prepare(`insert into ${NOTES_TABLE} (name, note) values (?, ?)`);
    for (const [name, note] of Object.entries(notes)) write.run(name, note);
  } finally {
    database.close();
  }
}

/** A backup of an older version has none. */
function readNotes(file: string): BackupNotes {
  const database = new DatabaseSync(file, { readOnly: true });
  try {
    const table = database.prepare('select 1 from sqlite_master where name = ?').get(NOTES_TABLE);
    const rows = table === undefined ? [] : database.prepare(`select name, note from ${NOTES_TABLE}`).all();
    return Object.fromEntries(rows.map(({ name, note }) => [String(name), String(note)]));
  } finally {
    database.close();
  }
}

/** A backup knows which steps its tables have taken; anything else is another file. */
function refuseOtherFiles(file: string): void {
  let steps: unknown[] = [];
  let damage: string | undefined;
  try {
    const database = new DatabaseSync(file, { readOnly: true });
    try {
      steps = database.prepare('select room from dragoman_migrations limit 1').all();
      damage = damageOf(database);
    } finally {
      database.close();
    }
  } catch {
    // Not readable, not a database, or not ours.
  }
  if (steps.length === 0)
    throw new DragomanError('bad-request', `${file} is not a backup of Dragoman, or cannot be read.`);
  if (damage !== undefined)
    throw new DragomanError('bad-request', `${file} is damaged (${damage}); nothing was restored. Use another backup.`);
}

/** The first thing that is wrong with a database, looking at every page and every index of it. */
function damageOf(database: DatabaseSync): string | undefined {
  try {
    const { integrity_check: said } = database.prepare('pragma integrity_check(1)').get() as {
      integrity_check: string;
    };
    return said === 'ok' ? undefined : said.replaceAll(/\s+/g, ' ').trim();
  } catch (error) {
    return (error as Error).message;
  }
}

function copySqliteFile(location: StoreLocation, draft: string): void {
  if (!existsSync(location.databaseFile))
    throw new DragomanError('not-found', `${describeLocation(location)} does not exist yet; there is nothing to copy.`);
  writeFileSync(draft, '', { mode: 0o600 }); // It holds what the database holds.
  const database = new DatabaseSync(location.databaseFile, { timeout: 15_000 });
  try {
    database.prepare('vacuum into ?').run(draft);
  } finally {
    database.close();
  }
}

async function copyFromPostgres(
  location: StoreLocation,
  rooms: readonly RoomMigrations[],
  draft: string,
): Promise<void> {
  const source = await openStore(location, { rooms });
  try {
    const target = await openStore({ databaseFile: draft, databaseUrl: undefined }, { rooms });
    try {
      await copyRows(source, target, { databaseFile: draft, databaseUrl: undefined });
    } finally {
      await target.close();
    }
  } finally {
    await source.close();
  }
}

/** Everything the source held at one moment, in one transaction of the target. */
async function copyRows(source: Store, target: Store, location: StoreLocation): Promise<void> {
  const tables = await tableNames(source.engine === 'sqlite' ? source : target);
  const reading = source.tables<AnyTables>().transaction();
  const snapshot =
    source.engine === 'postgres' ? reading.setIsolationLevel('repeatable read').setAccessMode('read only') : reading;

  await snapshot.execute(async (from) => {
    await target
      .tables<AnyTables>()
      .transaction()
      .execute(async (to) => {
        for (const table of tables) {
          const row = await to.selectFrom(table).selectAll().limit(1).executeTakeFirst();
          if (row !== undefined)
            throw new DragomanError(
              'conflict',
              `${describeLocation(location)} is in use (it has rows in ${table}); restore into an empty one.`,
            );
        }
        for (const table of tables) {
          for await (const rows of readInBatches(from, table, source.engine))
            await to.insertInto(table).values(rows).execute();
        }
      });
  });
}

/**
 * In the order they were created in, so that a row comes after the rows it refers to. The tables of a full-text index
 * are left out: they follow from the rows they index, and other engines have none.
 */
async function tableNames(store: Store): Promise<string[]> {
  const query = sql<{ name: string }>`
    select name from sqlite_master
    where type = 'table' and name not like 'sqlite_%' and name not in ('dragoman_migrations', 'dragoman_added', ${sql.lit(NOTES_TABLE)})
      and name not in (select name from pragma_table_list where type in ('virtual', 'shadow')) order by rowid`;
  const { rows } = await query.execute(store.tables());
  return rows.map((row) => row.name);
}

async function* readInBatches(from: Kysely<AnyTables>, table: string, engine: Store['engine']): AsyncGenerator<Row[]> {
  if (engine === 'sqlite') {
    let rows: Row[] = [];
    for await (const row of from.selectFrom(table).selectAll().stream()) {
      if (rows.push(row) < BATCH_ROWS) continue;
      yield rows;
      rows = [];
    }
    if (rows.length > 0) yield rows;
    return;
  }
  await sql`declare backup_rows no scroll cursor for select * from ${sql.table(table)}`.execute(from);
  for (;;) {
    const { rows } = await sql<Row>`fetch ${sql.lit(BATCH_ROWS)} from backup_rows`.execute(from);
    if (rows.length === 0) break;
    yield rows;
  }
  await sql`close backup_rows`.execute(from);
}
