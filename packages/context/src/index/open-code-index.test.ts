import { mkdirSync, readdirSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openStore } from '@dragoman/server';
import { freshLocation, STORE_ENGINES, tempFolder } from '@dragoman/testkit';
import { expect, onTestFinished, test } from 'vitest';
import type { Blob } from '../blob-server.ts';
import { contextMigrations } from '../context-migrations.ts';
import { blobName } from '../sync/blob-name.ts';
import { BlobStore } from './blobs/blob-store.ts';
import { openCodeIndex } from './open-code-index.ts';
import { BuildLeases } from './segment/build-leases.ts';
import type { SegmentTables } from './segment/segment-tables.ts';

const blob = (path: string, content: string): Blob => ({ blobName: blobName(path, content), path, content });
const USER = 'usr_1';
const RETRY = blob('src/retry.ts', 'export function retryWithBackoff(times: number) {\n  return times;\n}\n');
const MAIL = blob('src/mail.ts', 'export function sendMail(to: string) {\n  return to;\n}\n');
const viewOf = (...blobs: Blob[]) => ({
  key: blobs.map(({ blobName: name }) => name).join(),
  blobNames: new Set(blobs.map(({ blobName: name }) => name)),
});

async function openHouse(engine: (typeof STORE_ENGINES)[number] = 'sqlite') {
  const location = await freshLocation(engine, [contextMigrations]);
  const folder = join(tempFolder(), 'index');
  const warnings: string[] = [];
  const open = async (ownFolder = folder) => {
    const store = await openStore(location, { rooms: [contextMigrations], onIdleError: () => {} });
    const blobs = new BlobStore(store);
    const log = { debug: () => {}, warn: (_facts: object, message: string) => void warnings.push(message) };
    const index = openCodeIndex({ folder: ownFolder, store, blobs, log });
    const close = async () => {
      await index.close();
      await store.close();
    };
    onTestFinished(close);
    return {
      index,
      blobs,
      close,
      async add(...added: Blob[]) {
        await blobs.put(USER, added);
        await index.add(added);
        await index.whenIndexed(added.map(({ blobName: name }) => name));
      },
      segments: () => readdirSync(ownFolder).filter((name) => name.endsWith('.seg')),
    };
  };
  /** What another server holds that builds segments. */
  const leases = async () => {
    const store = await openStore(location, { rooms: [contextMigrations], onIdleError: () => {} });
    onTestFinished(() => store.close());
    const held = new BuildLeases(store.tables<SegmentTables>(), { leaseMs: 3_000, renewMs: 500 });
    onTestFinished(() => held.close());
    return held;
  };
  return { folder, open, warnings, leases };
}

const search = async (
  index: Awaited<ReturnType<Awaited<ReturnType<typeof openHouse>>['open']>>['index'],
  query: string,
  ...blobs: Blob[]
) =>
  (await index.search(viewOf(...blobs), { query, limit: 5 })).map(({ path, start, end, symbol }) => ({
    path,
    start,
    end,
    symbol,
  }));

test.each(STORE_ENGINES)('what was added is found, with the lines and the name of the place (%s)', async (engine) => {
  const { open } = await openHouse(engine);
  const { index, add } = await open();
  await add(RETRY, MAIL);
  expect(await search(index, 'how are retries limited', RETRY, MAIL)).toEqual([
    { path: 'src/retry.ts', start: 1, end: 3, symbol: 'retryWithBackoff' },
  ]);
  expect(await index.findSymbol(viewOf(RETRY, MAIL), 'sendMail', 5)).toMatchObject([
    { path: 'src/mail.ts', start: 1, end: 3, symbol: 'sendMail' },
  ]);
});

test('a server that shares a PostgreSQL answers from the segments that another one built, and builds none', async () => {
  const { open, warnings } = await openHouse('postgres');
  const [a, b] = [await open(), await open(join(tempFolder(), 'index'))];
  const found = [{ path: 'src/retry.ts', start: 1, end: 3, symbol: 'retryWithBackoff' }];
  await a.add(RETRY, MAIL);
  const built = a.segments();

  for (const { index } of [b, a, b]) expect(await search(index, 'how are retries limited', RETRY, MAIL)).toEqual(found);

  expect([a.segments(), b.segments(), warnings]).toEqual([built, built, []]);

  // What is uploaded to one is found by the other at once.
  const LOGIN = blob('src/login.ts', 'export function logPeopleIn(name: string) {\n  return name;\n}\n');
  await b.add(LOGIN);
  expect(await search(a.index, 'log people in', RETRY, MAIL, LOGIN)).toMatchObject([{ path: 'src/login.ts' }]);
  expect(warnings).toEqual([]);
});

test('a server that never saw the code fetches the segments of what it is asked about, and no others', async () => {
  const { open, warnings } = await openHouse('postgres');
  const a = await open();
  await a.add(RETRY);
  const [asked] = a.segments();
  /** By name, the bytes of what a server that has nothing fetches for its first question. */
  const fetched = async () => {
    const folder = join(tempFolder(), 'index');
    const { index } = await open(folder);
    expect(await search(index, 'how are retries limited', RETRY)).toMatchObject([{ path: 'src/retry.ts' }]);
    return Object.fromEntries(readdirSync(folder).map((name) => [name, statSync(join(folder, name)).size]));
  };

  await a.add(MAIL);
  const first = await fetched();
  await a.add(blob('src/letter.ts', MAIL.content), blob('src/post.ts', MAIL.content));

  expect(Object.keys(first)).toEqual([asked]);
  expect(await fetched()).toEqual(first);
  expect(warnings).toEqual([]);
});

test('what another server adds, merges and takes away between two questions is found and not found', async () => {
  const { open, warnings } = await openHouse('postgres');
  const [a, b] = [await open(), await open(join(tempFolder(), 'index'))];
  const parts = Array.from({ length: 9 }, (_, at) =>
    blob(`src/part${at}.ts`, `export const only${'abcdefghi'[at]}thing = ${at};\n`),
  );
  for (const [at, part] of parts.entries()) {
    await a.add(part);
    const view = parts.slice(0, at + 1);
    for (const asked of [part, parts[0]!])
      expect(await search(b.index, `only${'abcdefghi'[parts.indexOf(asked)]}thing`, ...view)).toMatchObject([
        { path: asked.path },
      ]);
  }
  await a.index.forget([]); // It waits its turn behind the merge.
  expect(a.segments().length).toBeLessThan(8);

  expect(await search(b.index, 'onlyhthing', ...parts)).toMatchObject([{ path: 'src/part7.ts' }]);
  expect(await search(b.index, 'onlyhthing', ...parts.slice(0, 7))).toEqual([]);
  expect(warnings).toEqual([]);
});

test('what another server is building is waited for, and built here only where that server has died', async () => {
  const { open, warnings, leases } = await openHouse('postgres');
  const [a, b] = [await open(), await open(join(tempFolder(), 'index'))];
  const building = await leases();
  await b.blobs.put(USER, [RETRY, MAIL]);
  const lease = building.take([RETRY.blobName]);
  const dead = building.take([MAIL.blobName]);
  await expect.poll(async () => (await (await leases()).heldElsewhere([RETRY.blobName, MAIL.blobName])).size).toBe(2);

  const answer = search(b.index, 'how are retries limited', RETRY);
  await a.index.add([RETRY]);
  await a.index.whenIndexed([RETRY.blobName]);
  await lease.release();

  expect(await answer).toMatchObject([{ path: 'src/retry.ts' }]);
  expect([b.segments(), warnings]).toEqual([a.segments(), []]);

  // Nobody renews it any more.
  building.close();
  expect(await search(b.index, 'send mail', MAIL)).toMatchObject([{ path: 'src/mail.ts' }]);
  await dead.release();
});

test('a server whose copy of a segment is damaged fetches it again, and the others notice nothing', async () => {
  const { open, warnings } = await openHouse('postgres');
  const folder = join(tempFolder(), 'index');
  const a = await open();
  await a.add(RETRY);
  const built = a.segments();
  const first = await open(folder);
  await search(first.index, 'how are retries limited', RETRY);
  await first.close();
  truncateSync(join(folder, built[0]!), 10);

  const b = await open(folder);
  for (let damages = 0; damages < 2; damages++) {
    expect(await search(b.index, 'how are retries limited', RETRY)).toMatchObject([{ path: 'src/retry.ts' }]);
    expect([a.segments(), b.segments(), warnings]).toEqual([built, built, []]);
    truncateSync(join(folder, built[0]!), 10);
  }
});

test('a copy that is found damaged when it should be merged is fetched again, and nothing is built anew', async () => {
  const { folder, open, warnings } = await openHouse('postgres');
  const a = await open();
  const parts = Array.from({ length: 8 }, (_, at) => blob(`src/part${at}.ts`, `export const thing${at} = ${at};\n`));
  for (const part of parts.slice(0, 7)) await a.add(part);
  truncateSync(join(folder, a.segments()[3]!), 10);

  await a.add(parts[7]!);
  await a.index.forget([]); // It waits its turn behind the merge.

  expect([a.segments().length, warnings]).toEqual([1, []]);
  expect((await search(a.index, 'thing3', ...parts))[0]).toMatchObject({ path: 'src/part3.ts' });
});

test('only the blobs of the view are found', async () => {
  const { open } = await openHouse();
  const { index, add } = await open();
  await add(RETRY, MAIL);
  expect(await search(index, 'retry with backoff', MAIL)).toEqual([]);
  expect(await index.findSymbol(viewOf(MAIL), 'retryWithBackoff', 5)).toEqual([]);
});

test('another process finds what this one indexed, and the other way round', async () => {
  const { open } = await openHouse();
  const [one, other] = [await open(), await open()];
  await one.add(RETRY);
  expect(await search(other.index, 'retry', RETRY)).toHaveLength(1);
  await other.add(MAIL);
  expect(await search(one.index, 'send mail', RETRY, MAIL)).toMatchObject([{ path: 'src/mail.ts' }]);
});

test('blobs that were stored and never indexed are indexed when somebody waits for them', async () => {
  const { open } = await openHouse();
  const before = await open();
  await before.blobs.put(USER, [RETRY]);
  await before.close();

  const { index, blobs } = await open();
  await index.whenIndexed([RETRY.blobName]);
  expect(await blobs.missing(USER, [RETRY.blobName])).toEqual({ unknown: [], nonindexed: [] });
  expect(await search(index, 'retry', RETRY)).toHaveLength(1);
});

test('an index folder that was deleted is built again from the stored blobs, before the answer', async () => {
  const { folder, open, warnings } = await openHouse();
  const before = await open();
  await before.add(RETRY);
  await before.close();
  rmSync(folder, { recursive: true });

  const { index } = await open();
  expect(await search(index, 'retry', RETRY)).toMatchObject([{ path: 'src/retry.ts' }]);
  expect(warnings).toEqual(['a piece of the index cannot be read and is built again']);
});

test('a segment that was cut short is built again, and the others stay', async () => {
  const { folder, open } = await openHouse();
  const before = await open();
  await before.add(RETRY);
  const [cut] = before.segments();
  await before.add(MAIL);
  await before.close();
  truncateSync(join(folder, cut!), 100);

  const { index } = await open();
  expect(await search(index, 'retry with backoff', RETRY, MAIL)).toMatchObject([{ path: 'src/retry.ts' }]);
  expect(await search(index, 'send mail', RETRY, MAIL)).toMatchObject([{ path: 'src/mail.ts' }]);
});

test('many small segments become one, and everything in them is still found', async () => {
  const { open } = await openHouse();
  const { index, add, segments } = await open();
  const blobs = Array.from({ length: 12 }, (_, at) =>
    blob(`src/part${at}.ts`, `export const only${'abcdefghijkl'[at]}thing = ${at};\n`),
  );
  for (const one of blobs) await add(one);
  await index.forget([]); // It waits its turn behind the merge.
  expect(segments().length).toBeLessThan(8);
  for (const [at, one] of blobs.entries())
    expect(await search(index, `only${'abcdefghijkl'[at]}thing`, ...blobs)).toMatchObject([{ path: one.path }]);
});

test('what nobody needs any more is freed', async () => {
  const { open } = await openHouse();
  const { index, blobs, add, segments } = await open();
  await add(RETRY);
  await blobs.remove(USER, [RETRY.blobName]);
  await index.forget(await blobs.sweep());
  expect(segments()).toEqual([]);
});

test('when the index cannot be written, whoever waits is told, and it is tried again', async () => {
  const { folder, open } = await openHouse();
  writeFileSync(folder, 'a file where the folder should be');
  const { index, add, blobs } = await open();
  await expect(add(RETRY)).rejects.toThrow('The index could not be written: ');
  expect((await blobs.missing(USER, [RETRY.blobName])).nonindexed).toEqual([RETRY.blobName]);

  rmSync(folder);
  mkdirSync(folder);
  await index.whenIndexed([RETRY.blobName]);
  expect(await search(index, 'retry', RETRY)).toHaveLength(1);
});

test('waiting can be given up', async () => {
  const { open } = await openHouse();
  const { index, blobs } = await open();
  await blobs.put(USER, [RETRY]);
  await index.add([RETRY]);
  await expect(index.whenIndexed([RETRY.blobName], AbortSignal.abort(new Error('enough')))).rejects.toThrow('enough');
});
