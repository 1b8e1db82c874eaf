import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { freshLocation, STORE_ENGINES, tempFolder } from '@dragoman/testkit';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { backupStore, restoreStore } from './backup-store.ts';
import type { RoomMigrations } from './migration.ts';
import { openStore, type StoreLocation } from './open-store.ts';

interface Tables {
  shelves: { id: number };
  books: { id: number; shelf: number; cover: Uint8Array };
}

const rooms: RoomMigrations[] = [
  {
    room: 'library',
    migrations: [
      {
        number: 1,
        title: 'shelves and books',
        async up(db, types) {
          await db.schema
            .createTable('shelves')
            .addColumn('id', types.integer, (column) => column.primaryKey())
            .execute();
          await db.schema
            .createTable('books')
            .addColumn('id', types.integer, (column) => column.primaryKey())
            .addColumn('shelf', types.integer, (column) => column.notNull().references('shelves.id'))
            .addColumn('cover', types.bytes)
            .execute();
        },
      },
    ],
  },
];

async function openLibrary(location: StoreLocation) {
  const store = await openStore(location, { rooms });
  onTestFinished(() => store.close());
  return store.tables<Tables>();
}

describe.each(STORE_ENGINES)('on %s', (engine) => {
  test('a backup taken while others write is one moment of the store, and can be restored into either engine', async () => {
    const location = await freshLocation(engine);
    const library = await openLibrary(location);
    let isWriting = true;
    const writer = (async () => {
      // A shelf and its book come in one transaction: a copy with one and not the other would be torn.
      for (let id = 0; isWriting; id++) {
        await library.transaction().execute(async (transaction) => {
          await transaction.insertInto('shelves').values({ id }).execute();
          await transaction
            .insertInto('books')
            .values({ id, shelf: id, cover: new Uint8Array([id & 255]) })
            .execute();
        });
        if (id > 600) await new Promise(setImmediate);
      }
    })();
    while ((await library.selectFrom('books').select('id').execute()).length < 700) await new Promise(setImmediate);

    const file = join(tempFolder(), 'backup.sqlite');
    await backupStore(location, rooms, file);
    isWriting = false;
    await writer;

    for (const target of STORE_ENGINES) {
      const restored = await freshLocation(target);
      await restoreStore(file, restored, rooms);
      const copy = await openLibrary(restored);
      const books = await copy.selectFrom('books').selectAll().orderBy('id').execute();
      expect(books.length).toBeGreaterThanOrEqual(700);
      expect(books.map((book) => book.id)).toEqual(books.map((_, index) => index));
      expect(await copy.selectFrom('shelves').select('id').orderBy('id').execute()).toEqual(
        books.map(({ id }) => ({ id })),
      );
      expect(new Uint8Array(books[300]!.cover)).toEqual(new Uint8Array([300 & 255]));
    }
  });

  test('restoring into a store that is in use is refused and changes nothing', async () => {
    const [source, target] = [await freshLocation(engine), await freshLocation(engine)];
    await (await openLibrary(source)).insertInto('shelves').values({ id: 1 }).execute();
    const used = await openLibrary(target);
    await used.insertInto('shelves').values({ id: 7 }).execute();
    const file = join(tempFolder(), 'backup.sqlite');
    await backupStore(source, rooms, file);

    await expect(restoreStore(file, target, rooms)).rejects.toThrow(
      /is in use \(it has rows in shelves\); restore into an empty one\.$/,
    );

    expect(await used.selectFrom('shelves').selectAll().execute()).toEqual([{ id: 7 }]);
  });
});

test('a file that is there already is not written over', async () => {
  const file = join(tempFolder(), 'precious.txt');
  writeFileSync(file, 'precious');

  await expect(backupStore(await freshLocation('sqlite'), rooms, file)).rejects.toThrow(
    `${file} already exists. Name a file that does not exist yet.`,
  );
});

test('a backup is readable by its owner alone', async () => {
  const location = await freshLocation('sqlite');
  await openLibrary(location);
  const file = join(tempFolder(), 'backup.sqlite');

  await backupStore(location, rooms, file);

  expect(statSync(file).mode & 0o777).toBe(0o600);
});

test('a place that cannot be written to is named', async () => {
  const location = await freshLocation('sqlite');
  await openLibrary(location);

  const noFolder = join(tempFolder(), 'file');
  writeFileSync(noFolder, '');

  await expect(backupStore(location, rooms, join(noFolder, 'backup.sqlite'))).rejects.toThrow(
    `could not be copied to ${join(noFolder, 'backup.sqlite')}: `,
  );
});

test('a file that is no backup is not restored', async () => {
  const folder = tempFolder();
  writeFileSync(join(folder, 'empty.sqlite'), '');
  writeFileSync(join(folder, 'text.sqlite'), 'hello'.repeat(100));

  for (const file of [join(folder, 'empty.sqlite'), join(folder, 'text.sqlite'), folder]) {
    await expect(restoreStore(file, await freshLocation('sqlite'), rooms)).rejects.toThrow(
      `${file} is not a backup of Dragoman, or cannot be read.`,
    );
  }
});

test('a backup with damaged pages is refused in words, and nothing of it is restored', async () => {
  const location = await freshLocation('sqlite');
  await openLibrary(location);
  const file = join(tempFolder(), 'backup.sqlite');
  await backupStore(location, rooms, file);
  const whole = readFileSync(file);
  const target = await freshLocation('sqlite');

  for (let page = 1; page * 4096 < whole.length; page += 1) {
    const damaged = Buffer.from(whole).fill(0xa5, page * 4096, page * 4096 + 512);
    writeFileSync(file, damaged);
    await expect(restoreStore(file, target, rooms)).rejects.toMatchObject({
      code: 'bad-request',
      message: expect.stringMatching(
        / is (?:damaged \(.+\); nothing was restored\. Use another backup\.|not a backup of Dragoman, or cannot be read\.)$/,
      ),
    });
  }
  expect(existsSync(target.databaseFile)).toBe(false);
});

test('a backup is restored with what its target has room for, whatever folder is for temporary files', async () => {
  const location = await freshLocation('sqlite');
  await openLibrary(location);
  const file = join(tempFolder(), 'backup.sqlite');
  await backupStore(location, rooms, file);
  const target = await freshLocation('sqlite');
  vi.stubEnv('TMPDIR', '/no/such/folder');
  onTestFinished(() => void vi.unstubAllEnvs());

  await restoreStore(file, target, rooms);

  expect(readdirSync(dirname(target.databaseFile))).toEqual([basename(target.databaseFile)]);
});

test('a backup that fails leaves no file', async () => {
  const file = join(tempFolder(), 'backup.sqlite');

  await expect(backupStore(await freshLocation('sqlite'), rooms, file)).rejects.toThrow(
    'does not exist yet; there is nothing to copy.',
  );

  expect(existsSync(file)).toBe(false);
  expect(existsSync(`${file}.partial`)).toBe(false);
});
