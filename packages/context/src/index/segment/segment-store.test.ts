import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openStore } from '@dragoman/server';
import { freshLocation, tempFolder } from '@dragoman/testkit';
import { expect, onTestFinished, test } from 'vitest';
import { contextMigrations } from '../../context-migrations.ts';
import { SegmentStore, type SegmentStoreOptions } from './segment-store.ts';
import type { SegmentTables } from './segment-tables.ts';

/** Servers that share a PostgreSQL. What their segments hold is of no interest. */
async function openHouse() {
  const location = await freshLocation('postgres', [contextMigrations]);
  return async (options?: SegmentStoreOptions) => {
    const store = await openStore(location, { rooms: [contextMigrations] });
    onTestFinished(() => store.close());
    const folder = join(tempFolder(), 'index');
    mkdirSync(folder, { recursive: true });
    const segments = new SegmentStore(folder, store, options);
    const write = (bytes: number) => {
      const id = segments.newSegment();
      writeFileSync(segments.fileOf(id), Buffer.alloc(bytes));
      return { id, files: 1, bytes, vectors: '' };
    };
    return {
      segments,
      db: store.tables<SegmentTables>(),
      write,
      async add(bytes: number) {
        const row = write(bytes);
        await segments.register(row, []);
        return row.id;
      },
      files: () => readdirSync(folder),
    };
  };
}

test('of two servers that replace the same segments, one does', async () => {
  const open = await openHouse();
  const [a, b] = [await open(), await open()];
  const old = [await a.add(10), await a.add(10)];
  const [ofA, ofB] = [a.write(20), b.write(20)];

  const replaced = await Promise.all([a.segments.replace(old, ofA), b.segments.replace(old, ofB)]);

  expect(replaced.filter(Boolean)).toEqual([true]);
  expect((await a.segments.list()).map(({ id }) => id)).toEqual([replaced[0] ? ofA.id : ofB.id]);
});

test('of copies that are too many, those go that were not asked about for longest, and come back when they are', async () => {
  const open = await openHouse();
  const [a, b] = [await open(), await open({ mostCopyBytes: 250 })];
  const ids = [await a.add(100), await a.add(100), await a.add(100)];
  const fileOf = (id: string) => `${id}.seg`;
  for (const id of [ids[1]!, ids[0]!, ids[2]!]) await b.segments.fetch([id]);
  await b.segments.fetch(ids.slice(1));

  await b.segments.sweep();
  expect(b.files()).toEqual(ids.slice(1).map(fileOf));

  await b.segments.fetch([ids[0]!]);
  expect(b.files()).toEqual(ids.map(fileOf));
  expect(a.files()).toEqual(ids.map(fileOf));
});

test('the only copy of a segment stays, however many there are', async () => {
  const open = await openHouse();
  const { segments, db, add, files } = await open({ mostCopyBytes: 50 });
  const only = await add(100);
  await db.deleteFrom('context_segment_pieces').execute();

  await segments.sweep();

  expect(files()).toEqual([`${only}.seg`]);
});

test('what the database has of a segment that is not in force is forgotten', async () => {
  const open = await openHouse();
  const { segments, db, add } = await open();
  const inForce = await add(10);
  await db
    .insertInto('context_segment_pieces')
    .values({ segment: 'seg_gone', piece: 0, bytes: Buffer.alloc(10) })
    .execute();

  await segments.forgetPieces();

  expect(await db.selectFrom('context_segment_pieces').select('segment').execute()).toEqual([{ segment: inForce }]);
});

test('whoever stops waiting for a segment does not keep others from it', async () => {
  const open = await openHouse();
  const [a, b] = [await open(), await open()];
  const id = await a.add(3 << 20);
  const leaving = new AbortController();

  const left = b.segments.fetch([id], leaving.signal);
  const stayed = b.segments.fetch([id]);
  leaving.abort(new Error('enough'));

  await expect(left).rejects.toThrow('enough');
  await stayed;
  expect(b.files()).toEqual([`${id}.seg`]);
});

test('a fetch that nobody waits for any more leaves nothing behind, and the next one begins anew', async () => {
  const open = await openHouse();
  const [a, b] = [await open(), await open()];
  const id = await a.add(3 << 20);
  const leaving = new AbortController();

  const left = b.segments.fetch([id], leaving.signal);
  leaving.abort(new Error('enough'));
  await expect(left).rejects.toThrow('enough');
  await expect.poll(b.files, { timeout: 60_000 }).toEqual([]);

  await b.segments.fetch([id]);
  expect(b.files()).toEqual([`${id}.seg`]);
});
