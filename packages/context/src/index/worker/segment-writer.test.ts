import { existsSync, mkdirSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { tempFolder } from '@dragoman/testkit';
import { expect, onTestFinished, test } from 'vitest';
import type { Blob } from '../../blob-server.ts';
import { blobOf, openContextStore } from '../blobs/blob.fixture.ts';
import { BlobStore } from '../blobs/blob-store.ts';
import type { BlobTables } from '../blobs/blob-tables.ts';
import { SegmentReader } from '../segment/segment-reader.ts';
import { SegmentStore } from '../segment/segment-store.ts';
import { SegmentWriter, type SegmentWriterOptions } from './segment-writer.ts';

const USER = 'usr_1';
const numbered = (count: number) => Array.from({ length: count }, (_, at) => blobOf(`src/part${at}.ts`));
const namesOf = (blobs: readonly Blob[]) => blobs.map(({ blobName }) => blobName);

async function openWriter(options?: SegmentWriterOptions) {
  const store = await openContextStore('sqlite');
  const folder = join(tempFolder(), 'index');
  const blobs = new BlobStore(store);
  const segments = new SegmentStore(folder, store);
  const warnings: string[] = [];
  const log = { debug: () => {}, warn: (_facts: object, message: string) => void warnings.push(message) };
  const writer = new SegmentWriter(segments, blobs, log, options);
  onTestFinished(() => writer.close());
  return {
    writer,
    blobs,
    segments,
    folder,
    warnings,
    /** What the rows say, by path: `true` where the segment has the blob, else what stands there. */
    async placed() {
      const rows = await store
        .tables<BlobTables>()
        .selectFrom('context_blobs')
        .select(['name', 'path', 'segment'])
        .execute();
      return Object.fromEntries(
        rows.map(({ name, path, segment }) => {
          if (segment === null || !existsSync(segments.fileOf(segment))) return [path, segment];
          const reader = new SegmentReader(segments.fileOf(segment));
          const isThere = reader.fileOf(name) !== undefined;
          reader.close();
          return [path, isThere];
        }),
      );
    },
  };
}

const everyOne = (blobs: readonly Blob[], value: unknown) => Object.fromEntries(blobs.map(({ path }) => [path, value]));

test('blobs that come while a segment is being written are in the segment their rows name', async () => {
  const { writer, blobs, placed } = await openWriter({ mostWaitingBytes: 1 });
  const parts = numbered(12);
  await blobs.put(USER, parts);

  await Promise.all(parts.map((part) => writer.add([part])));
  await writer.whenIndexed(namesOf(parts));

  expect(await placed()).toEqual(everyOne(parts, true));
});

test('when a segment cannot be written, none of what it would have held counts as indexed', async () => {
  const { writer, blobs, placed, folder, warnings } = await openWriter({ mostWaitingBytes: 1 });
  const parts = numbered(6);
  await blobs.put(USER, parts);
  writeFileSync(folder, 'a file where the folder should be');

  await Promise.allSettled(parts.map((part) => writer.add([part])));
  await expect(writer.whenIndexed(namesOf(parts))).rejects.toThrow('The index could not be written: EEXIST');
  expect(await placed()).toEqual(everyOne(parts, null));
  expect(new Set(warnings)).toEqual(new Set(['a segment could not be written; its blobs are tried again later']));

  rmSync(folder);
  await writer.whenIndexed(namesOf(parts));
  expect(await placed()).toEqual(everyOne(parts, true));
});

test('a blob is found soon, however many come after it without a pause', async () => {
  const { writer, blobs, placed } = await openWriter();
  const first = blobOf('src/first.ts');
  await blobs.put(USER, [first]);
  let isOver = false;
  const feed = async () => {
    for (let at = 0; !isOver; at++) await writer.add([blobOf(`src/more${at}.ts`)]);
  };

  await writer.add([first]);
  const feeding = feed();
  await writer.whenIndexed([first.blobName]);
  isOver = true;
  await feeding;

  expect(await placed()).toEqual({ [first.path]: true });
});

test('a blob that cannot be read is given up for good, and those beside it are found', async () => {
  const { writer, blobs, placed, warnings } = await openWriter();
  const [good, bad] = numbered(2) as [Blob, Blob];
  await blobs.put(USER, [good, bad]);

  await writer.add([good, { ...bad, content: undefined as unknown as string }]);
  await writer.whenIndexed(namesOf([good, bad]));

  expect(await placed()).toEqual({ [good.path]: true, [bad.path]: 'unreadable' });
  expect(await blobs.missing(USER, namesOf([good, bad]))).toEqual({ unknown: [], nonindexed: [] });
  expect(warnings).toEqual(['a blob cannot be indexed']);
});

test('a batch in which no blob can be read leaves no segment behind', async () => {
  const { writer, blobs, segments } = await openWriter();
  const [bad] = numbered(1) as [Blob];
  await blobs.put(USER, [bad]);

  await writer.add([{ ...bad, content: undefined as unknown as string }]);
  await writer.whenIndexed([bad.blobName]);
  await writer.compact();

  expect(await segments.list()).toEqual([]);
});

test('a segment that is found missing when it should be merged is built again from the stored blobs', async () => {
  const { writer, blobs, segments, folder, placed } = await openWriter();
  const parts = numbered(8);
  await blobs.put(USER, parts);
  for (const part of parts.slice(0, 7)) {
    await writer.add([part]);
    await writer.whenIndexed([part.blobName]);
  }
  rmSync(segments.fileOf((await segments.list())[3]!.id));

  await writer.add([parts[7]!]);
  await writer.whenIndexed([parts[7]!.blobName]);
  await writer.compact(); // It waits its turn behind the merge.
  await writer.whenIndexed(namesOf(parts));

  expect(await placed()).toEqual(everyOne(parts, true));
  expect(readdirSync(folder).sort()).toEqual((await segments.list()).map(({ id }) => `${id}.seg`).sort());
});

test('files that a process left behind are deleted when space is made, but not the newest', async () => {
  const { writer, blobs, folder, segments } = await openWriter();
  const parts = numbered(1);
  await blobs.put(USER, parts);
  await writer.add(parts);
  await writer.whenIndexed(namesOf(parts));
  mkdirSync(folder, { recursive: true });
  const leave = (name: string, hours: number) => {
    writeFileSync(join(folder, name), 'left behind');
    const at = Date.now() / 1000 - hours * 3600;
    utimesSync(join(folder, name), at, at);
  };
  leave('seg_old.seg', 2);
  leave('seg_older.seg.partial', 3);
  leave('seg_half-fetched.seg.0b1c.partial', 3);
  leave('seg_half-fetched-before.seg.fetched.partial', 3);
  leave('seg_another-is-writing.seg.partial', 0);
  leave('notes.txt', 100);

  await writer.compact();

  const inForce = (await segments.list()).map(({ id }) => `${id}.seg`);
  expect(inForce).toHaveLength(1);
  expect(readdirSync(folder).sort()).toEqual([...inForce, 'notes.txt', 'seg_another-is-writing.seg.partial'].sort());
});
