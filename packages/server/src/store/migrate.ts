import { DragomanError } from '@dragoman/protocol';
import { type Kysely, sql } from 'kysely';
import { COLUMN_TYPES, type Migration, type RoomMigrations, type StoreEngine } from './migration.ts';

interface MigrationTables {
  dragoman_migrations: { room: string; number: number; title: string; applied_at: number };
  /** Those that a program may not know. A table of its own: older programs write the other one. */
  dragoman_added: { room: string; number: number };
}

export interface AppliedMigration {
  room: string;
  number: number;
  title: string;
}

/** Any number will do, as long as every process that migrates takes the same lock. */
const POSTGRES_LOCK = 4747_0001;

/**
 * Brings the database to the shape this program needs, in one transaction under a lock.
 *
 * Several processes may start at once: the first migrates while the others wait, and then find nothing to do. Kysely's
 * own migrator is not used because on SQLite it takes no lock between processes and no transaction around a step.
 */
export async function migrate(
  store: Kysely<unknown>,
  engine: StoreEngine,
  rooms: readonly RoomMigrations[],
): Promise<AppliedMigration[]> {
  const db = store as Kysely<MigrationTables>;
  return db.transaction().execute(async (transaction) => {
    if (engine === 'postgres') await sql`select pg_advisory_xact_lock(${POSTGRES_LOCK})`.execute(transaction);
    const types = COLUMN_TYPES[engine];
    await transaction.schema
      .createTable('dragoman_migrations')
      .ifNotExists()
      .addColumn('room', types.text, (column) => column.notNull())
      .addColumn('number', types.integer, (column) => column.notNull())
      .addColumn('title', types.text, (column) => column.notNull())
      .addColumn('applied_at', types.integer, (column) => column.notNull())
      .addPrimaryKeyConstraint('dragoman_migrations_key', ['room', 'number'])
      .execute();

    await transaction.schema
      .createTable('dragoman_added')
      .ifNotExists()
      .addColumn('room', types.text, (column) => column.notNull())
      .addColumn('number', types.integer, (column) => column.notNull())
      .addPrimaryKeyConstraint('dragoman_added_key', ['room', 'number'])
      .execute();

    const applied: AppliedMigration[] = [];
    for (const step of stepsAfter(await readApplied(transaction, true), rooms)) {
      await step.up(transaction as unknown as Kysely<unknown>, types);
      const { room, number, title } = step;
      await transaction
        .insertInto('dragoman_migrations')
        .values({ room, number, title, applied_at: Date.now() })
        .execute();
      if (step.onlyAdds) await transaction.insertInto('dragoman_added').values({ room, number }).execute();
      applied.push({ room, number, title });
    }
    return applied;
  });
}

/** The steps that `migrate` would take. */
export async function pendingMigrations(
  store: Kysely<unknown>,
  rooms: readonly RoomMigrations[],
): Promise<AppliedMigration[]> {
  const tables = await store.introspection.getTables();
  if (!tables.some((table) => table.name === 'dragoman_migrations')) return allMigrations(rooms);
  const hasAdded = tables.some((table) => table.name === 'dragoman_added');
  return stepsAfter(await readApplied(store as Kysely<MigrationTables>, hasAdded), rooms).map(
    ({ room, number, title }) => ({
      room,
      number,
      title,
    }),
  );
}

export function allMigrations(rooms: readonly RoomMigrations[]): AppliedMigration[] {
  return stepsAfter([], rooms).map(({ room, number, title }) => ({ room, number, title }));
}

interface KnownStep extends AppliedMigration {
  /** Whoever does not know it may go on. */
  onlyAdds: boolean;
}

async function readApplied(db: Kysely<MigrationTables>, hasAdded: boolean): Promise<KnownStep[]> {
  const rows = await db.selectFrom('dragoman_migrations').select(['room', 'number', 'title']).execute();
  const added = hasAdded ? await db.selectFrom('dragoman_added').select(['room', 'number']).execute() : [];
  const isAdded = (step: { room: string; number: number }) =>
    added.some(({ room, number }) => room === step.room && number === step.number);
  return rows.map((row) => ({ ...row, onlyAdds: isAdded(row) }));
}

function stepsAfter(applied: readonly KnownStep[], rooms: readonly RoomMigrations[]): (Migration & { room: string })[] {
  refuseNewer(applied, rooms);
  const isApplied = (room: string, number: number) => applied.some((row) => row.room === room && row.number === number);
  return rooms.flatMap(({ room, migrations }) =>
    migrations.filter(({ number }) => !isApplied(room, number)).map((migration) => ({ ...migration, room })),
  );
}

/**
 * A room this program does not have is left alone: its tables harm nobody. Nor do steps that only add, so that a server of the last
 * version can start again while others are of the next. Any other step that it does not know is another matter.
 */
function refuseNewer(done: readonly KnownStep[], rooms: readonly RoomMigrations[]): void {
  for (const { room, migrations } of rooms) {
    const known = new Set(migrations.map((migration) => migration.number));
    const newer = done.find((row) => row.room === room && !row.onlyAdds && !known.has(row.number));
    if (newer === undefined) continue;
    throw new DragomanError(
      'database-newer',
      `The database was written by a newer Dragoman (it has ${room} step ${newer.number}, "${newer.title}"; this one knows ${migrations.length}). Start the newer version, or use another data folder.`,
    );
  }
}
