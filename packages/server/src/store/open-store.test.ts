import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { promisify } from 'node:util';
import {
  closedPort,
  fillDisk,
  freshLocation,
  mountSmallDisk,
  STORE_ENGINES,
  tablesOnSmallDisk,
  tempFolder,
} from '@dragoman/testkit';
import { sql } from 'kysely';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import type { RoomMigrations } from './migration.ts';
import { inspectStore, openStore, type StoreLocation } from './open-store.ts';

interface Tables {
  things: { id: string; count: number; data: Uint8Array; is_good: number; parent: string | null };
}

const first: RoomMigrations['migrations'][number] = {
  number: 1,
  title: 'things',
  async up(db, types) {
    await db.schema
      .createTable('things')
      .addColumn('id', types.text, (column) => column.primaryKey())
      .addColumn('count', types.integer)
      .addColumn('data', types.bytes)
      .addColumn('is_good', types.integer)
      .addColumn('parent', types.text, (column) => column.references('things.id'))
      .execute();
  },
};
const second: RoomMigrations['migrations'][number] = {
  number: 2,
  title: 'names',
  up: (db, types) => db.schema.createTable('names').addColumn('id', types.text).execute(),
};
const broken: RoomMigrations['migrations'][number] = {
  number: 2,
  title: 'half of it',
  async up(db, types) {
    await db.schema.createTable('half').addColumn('id', types.text).execute();
    throw new Error('the other half failed');
  },
};
const room = (...migrations: RoomMigrations['migrations']): RoomMigrations[] => [{ room: 'test', migrations }];

async function open(location: StoreLocation, rooms: RoomMigrations[]) {
  const store = await openStore(location, { rooms });
  onTestFinished(() => store.close());
  return store;
}

describe.each(STORE_ENGINES)('on %s', (engine) => {
  test('each step is applied once, and later ones when they come', async () => {
    const location = await freshLocation(engine);

    expect((await open(location, room(first))).applied).toEqual([{ room: 'test', number: 1, title: 'things' }]);
    expect((await open(location, room(first))).applied).toEqual([]);
    expect((await inspectStore(location, room(first, second))).pending).toEqual([
      { room: 'test', number: 2, title: 'names' },
    ]);
    expect((await open(location, room(first, second))).applied).toEqual([{ room: 'test', number: 2, title: 'names' }]);
  });

  test('eight that start at once migrate once', async () => {
    const location = await freshLocation(engine);

    const stores = await Promise.all(Array.from({ length: 8 }, () => open(location, room(first, second))));

    expect(stores.flatMap((store) => store.applied)).toHaveLength(2);
  });

  test('a step that fails leaves nothing behind', async () => {
    const location = await freshLocation(engine);

    await expect(openStore(location, { rooms: room(first, broken) })).rejects.toThrow('the other half failed');

    expect(
      (
        await open(
          location,
          room(first, {
            ...broken,
            up: (db, types) => db.schema.createTable('half').addColumn('id', types.text).execute(),
          }),
        )
      ).applied,
    ).toHaveLength(2);
  });

  test('a database of a newer program is refused in one clear sentence', async () => {
    const location = await freshLocation(engine);
    await open(location, room(first, second));

    const sentence =
      'The database was written by a newer Dragoman (it has test step 2, "names"; this one knows 1). Start the newer version, or use another data folder.';
    await expect(openStore(location, { rooms: room(first) })).rejects.toThrow(
      expect.objectContaining({ code: 'database-newer', message: sentence }),
    );
    await expect(inspectStore(location, room(first))).rejects.toThrow(sentence);
  });

  test('a program goes on with the database of a newer one whose steps only add', async () => {
    const location = await freshLocation(engine);
    await open(location, room(first, { ...second, onlyAdds: true }));

    expect((await open(location, room(first))).applied).toEqual([]);
    expect(await inspectStore(location, room(first))).toEqual({ engine, pending: [] });
  });

  test('numbers up to 2^53, bytes, flags and null come back as they went in', async () => {
    const db = (await open(await freshLocation(engine), room(first))).tables<Tables>();
    const thing = {
      id: 'a',
      count: Number.MAX_SAFE_INTEGER,
      data: new Uint8Array([0, 255, 7]),
      is_good: 1,
      parent: null,
    };

    await db.insertInto('things').values(thing).execute();

    const read = await db.selectFrom('things').selectAll().executeTakeFirstOrThrow();
    expect({ ...read, data: new Uint8Array(read.data) }).toEqual(thing);
  });

  test('a transaction that throws leaves nothing, and a foreign key is held', async () => {
    const db = (await open(await freshLocation(engine), room(first))).tables<Tables>();
    const thing = (id: string, parent: string | null) => ({ id, count: 1, data: new Uint8Array(), is_good: 0, parent });

    await expect(
      db.transaction().execute(async (transaction) => {
        await transaction.insertInto('things').values(thing('a', null)).execute();
        throw new Error('no');
      }),
    ).rejects.toThrow('no');
    await expect(db.insertInto('things').values(thing('b', 'nobody')).execute()).rejects.toThrow(/foreign key/i);

    expect(await db.selectFrom('things').selectAll().execute()).toEqual([]);
  });

  test('two that write at once wait for each other', async () => {
    const location = await freshLocation(engine);
    const stores = await Promise.all([open(location, room(first)), open(location, room(first))]);

    await Promise.all(
      stores.flatMap((store, side) =>
        Array.from({ length: 25 }, (_, index) =>
          store
            .tables<Tables>()
            .transaction()
            .execute(async (transaction) => {
              await transaction.selectFrom('things').selectAll().execute();
              await transaction
                .insertInto('things')
                .values({ id: `${side}-${index}`, count: index, data: new Uint8Array(), is_good: 1, parent: null })
                .execute();
            }),
        ),
      ),
    );

    expect(await stores[0].tables<Tables>().selectFrom('things').select('id').execute()).toHaveLength(50);
  });
});

test('the database file is readable by its owner alone', async () => {
  const location = await freshLocation('sqlite');
  await open(location, room(first));

  expect(statSync(location.databaseFile).mode & 0o777).toBe(0o600);
});

test('a PostgreSQL that does not answer is named without its password', async () => {
  const port = await closedPort();
  const location = { databaseFile: '', databaseUrl: `postgres://me:hunter2@127.0.0.1:${port}/work` };

  const error = await openStore(location, { rooms: [] }).catch((reason: unknown) => reason as Error);

  expect(error).toMatchObject({
    code: 'database-unreachable',
    message: `The PostgreSQL database work at 127.0.0.1:${port} cannot be opened: connect ECONNREFUSED 127.0.0.1:${port}.`,
  });
});

test('a PostgreSQL connection that breaks inside a transaction fails the transaction, and nothing else', async () => {
  const location = await freshLocation('postgres');
  const [one, other] = [await openStore(location, { rooms: [] }), await openStore(location, { rooms: [] })];
  onTestFinished(() => Promise.all([one.close(), other.close()]).then(() => {}));
  const isThere = (pid: number) =>
    sql`select 1 from pg_stat_activity where pid = ${pid}`.execute(other.tables()).then(({ rows }) => rows.length);

  const work = one
    .tables()
    .transaction()
    .execute(async (db) => {
      const { pid } = (await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(db)).rows[0]!;
      await sql`select pg_terminate_backend(${pid})`.execute(other.tables());
      await expect.poll(() => isThere(pid)).toBe(0);
      await sql`select 1`.execute(db);
    });

  await expect(work).rejects.toMatchObject({
    code: 'database-unreachable',
    isRetryable: true,
    message: 'The database is not responding.',
  });
  await one.ping();
});

test('a PostgreSQL that takes no writes, as one that follows another, is told as not responding', async () => {
  const store = await open(await freshLocation('postgres'), room(first));
  await sql`set session characteristics as transaction read only`.execute(store.tables());

  await expect(sql`delete from things`.execute(store.tables())).rejects.toMatchObject({
    code: 'database-unreachable',
    isRetryable: true,
    message: 'The database is not responding.',
  });
});

test('an address that is not one of PostgreSQL is refused', async () => {
  await expect(openStore({ databaseFile: '', databaseUrl: 'mysql://x' }, { rooms: [] })).rejects.toThrow(
    'DRAGOMAN_DATABASE_URL is not a PostgreSQL address; expected postgres://user:password@host:5432/database.',
  );
});

test('a damaged database is refused with its name, and found by an inspection', async () => {
  const location = await freshLocation('sqlite');
  await (await openStore(location, { rooms: room(first, second) })).close();
  const bytes = readFileSync(location.databaseFile);
  writeFileSync(location.databaseFile, bytes.fill(7, 4096));

  await expect(inspectStore(location, room(first, second))).rejects.toThrow(`The database ${location.databaseFile}`);
  await expect(openStore(location, { rooms: room(first, second) })).rejects.toThrow(
    expect.objectContaining({ code: 'database-unreachable' }),
  );
});

test('a file that is no database is refused with its name', async () => {
  const databaseFile = tempFolder();

  await expect(openStore({ databaseFile, databaseUrl: undefined }, { rooms: [] })).rejects.toThrow(
    `The database ${databaseFile} cannot be opened`,
  );
});

test('a database that another process holds is told as locked, and nobody is told to part with it', async () => {
  const location = await freshLocation('sqlite');
  const other = new DatabaseSync(location.databaseFile);
  onTestFinished(() => other.close());
  other.exec('pragma journal_mode = wal; begin immediate');
  let now = 0;
  vi.spyOn(performance, 'now').mockImplementation(() => (now += 10_000)); // The wait is over at once.
  onTestFinished(() => void vi.restoreAllMocks());

  const error = await openStore(location, { rooms: room(first) }).catch((reason: unknown) => reason as Error);

  expect(error).toMatchObject({
    code: 'database-unreachable',
    isRetryable: true,
    message: `The database ${location.databaseFile} cannot be used: database is locked. Another process is writing to it and does not finish; nothing is damaged. Wait for it or end it, then start again.`,
  });
});

test('a statement that waits too long for another process says that the database is not responding', async () => {
  const location = await freshLocation('sqlite');
  const store = await open(location, room(first));
  const other = new DatabaseSync(location.databaseFile);
  onTestFinished(() => other.close());
  other.exec('begin immediate');
  let now = 0;
  vi.spyOn(performance, 'now').mockImplementation(() => (now += 10_000));
  onTestFinished(() => void vi.restoreAllMocks());

  await expect(sql`delete from things`.execute(store.tables())).rejects.toMatchObject({
    code: 'database-unreachable',
    isRetryable: true,
    message: 'The database is not responding.',
  });
});

test('a disk without room is told as such, and known for as long as it lasts', async ({ skip }) => {
  const disk = tempFolder();
  skip(!mountSmallDisk(disk, 4), 'this machine does not let us mount');
  const store = await open({ databaseFile: `${disk}/store.sqlite`, databaseUrl: undefined }, room(first));
  const write = () =>
    store
      .tables<Tables>()
      .insertInto('things')
      .values({ id: crypto.randomUUID(), count: 1, data: new Uint8Array(1_000_000), is_good: 1, parent: null })
      .execute();
  expect(await store.isDiskFull()).toBe(false);

  const makeRoom = fillDisk(disk, 100);
  await expect(write()).rejects.toMatchObject({
    code: 'disk-full',
    isRetryable: true,
    message: 'The disk of the server is full. Free up some space there, then try again.',
  });
  expect(await store.isDiskFull()).toBe(true);

  makeRoom();
  await write();
  await expect.poll(() => store.isDiskFull(), { timeout: 10_000 }).toBe(false);
});

test('a disk without room beside a PostgreSQL is known as well', async ({ skip }) => {
  const disk = tempFolder();
  skip(!mountSmallDisk(disk, 4), 'this machine does not let us mount');
  const { databaseUrl } = await freshLocation('postgres');
  const store = await open({ databaseFile: `${disk}/store.sqlite`, databaseUrl }, room(first));
  expect(await store.isDiskFull()).toBe(false);

  fillDisk(disk, 100);

  await expect.poll(() => store.isDiskFull(), { timeout: 10_000 }).toBe(true);
});

test('a PostgreSQL without room is told as such, whatever still goes where rows were, until there is room', async ({
  skip,
}) => {
  const location = await freshLocation('postgres');
  const disk = await tablesOnSmallDisk(location.databaseUrl!, 4);
  if (disk === undefined) return skip('this machine does not let us mount');
  const store = await open(location, room(first));
  const things = store.tables<Tables>();
  const write = (data: Uint8Array) =>
    things.insertInto('things').values({ id: crypto.randomUUID(), count: 1, data, is_good: 1, parent: null }).execute();
  await write(new Uint8Array(1));
  const makeRoom = fillDisk(disk, 0);

  await expect(write(randomBytes(1_000_000))).rejects.toMatchObject({
    code: 'disk-full',
    isRetryable: true,
    message: 'The disk of the database is full. Free up some space there, then try again.',
  });
  await things.updateTable('things').set({ count: 2 }).execute();
  expect(await store.isDiskFull()).toBe(true);

  // Nobody writes meanwhile, as where a load balancer sends nothing to a server that is not well.
  makeRoom();
  await expect.poll(() => store.isDiskFull(), { timeout: 10_000 }).toBe(false);
  await write(randomBytes(1_000_000));
});

/** A quota answers as a limit on the size of files does: SQLite says that it could not write, and no more. */
test.runIf(process.platform === 'linux')('a quota that is reached is told as a full disk (needs Linux)', async () => {
  const folder = tempFolder();
  const program = `
      import { openStore } from ${JSON.stringify(new URL('open-store.ts', import.meta.url).href)};
      import { sql } from 'kysely';
      const store = await openStore({ databaseFile: ${JSON.stringify(join(folder, 'store.sqlite'))} }, { rooms: [] });
      await sql\`create table filled (data)\`.execute(store.tables());
      const error = await sql\`insert into filled values (zeroblob(1000000))\`.execute(store.tables()).catch((reason) => reason);
      console.log(JSON.stringify([error.code, error.message, await store.isDiskFull()]));`;
  const { stdout } = await promisify(execFile)(
    'sh',
    [
      '-c',
      'ulimit -f 128; exec "$@"',
      'sh',
      process.execPath,
      '--conditions=@dragoman/source',
      '--input-type=module',
      '-e',
      program,
    ],
    { cwd: import.meta.dirname },
  );

  expect(JSON.parse(stdout)).toEqual([
    'disk-full',
    'The disk of the server is full. Free up some space there, then try again.',
    true,
  ]);
});
