import { join } from 'node:path';
import { openStore, type StoreLocation } from '@dragoman/server';
import { DragomanError } from '@dragoman/protocol';
import { freshLocation, STORE_ENGINES, tempFolder } from '@dragoman/testkit';
import { expect, onTestFinished, test } from 'vitest';
import type { Blob } from '../../blob-server.ts';
import { contextMigrations } from '../../context-migrations.ts';
import { BlobStore } from '../blobs/blob-store.ts';
import { blobOf } from '../blobs/blob.fixture.ts';
import { openCodeIndex } from '../open-code-index.ts';
import { switchedIndex } from '../switched-index.ts';
import { axesEmbedder, axesOf, type AxesEmbedder } from './axes-embedder.fixture.ts';

const USER = 'usr_1';
const LETTER = blobOf('src/letter.ts', 'export function dispatch(to: string) {\n  return to;\n}\n');
const BACKOFF = blobOf('src/backoff.ts', 'export function pause(times: number) {\n  return times;\n}\n');
const PAINT = blobOf('src/paint.ts', 'export function fill(surface: string) {\n  return surface;\n}\n');
const FILES = [LETTER, BACKOFF, PAINT];
/** Shares no word with the file that is meant. */
const QUESTION = 'where does correspondence leave';
const BY_WORDS = 'which function dispatches';

interface HouseSetup {
  engine?: (typeof STORE_ENGINES)[number];
  /** Where the database is, which servers may share. */
  location?: StoreLocation;
  patienceMs?: number;
  questionLimitMs?: number;
}

async function openHouse(
  wanted: () => AxesEmbedder | undefined,
  { engine = 'sqlite', location, patienceMs = 60_000, questionLimitMs = 60_000 }: HouseSetup = {},
) {
  const store = await openStore(location ?? (await freshLocation(engine, [contextMigrations])), {
    rooms: [contextMigrations],
    onIdleError: () => {},
  });
  const blobs = new BlobStore(store);
  const warnings: string[] = [];
  const log = { debug: () => {}, warn: (_facts: object, message: string) => void warnings.push(message) };
  const folder = join(tempFolder(), 'index');
  const index = switchedIndex(wanted, (embedder) =>
    openCodeIndex({ folder, store, blobs, log, embedder, embedderRestMs: 0, questionLimitMs, patienceMs }),
  );
  onTestFinished(async () => {
    await index.close();
    await store.close();
  });
  const view = { key: 'all', blobNames: new Set(FILES.map(({ blobName }) => blobName)) };
  return {
    index,
    warnings,
    /** Stores it for somebody else to index. */
    put: (...stored: Blob[]) => blobs.put(USER, stored),
    async add(...added: Blob[]) {
      await blobs.put(USER, added);
      await index.add(added);
      await index.whenIndexed(added.map(({ blobName }) => blobName));
    },
    ask: async (query: string) => (await index.search(view, { query, limit: 5 })).map(({ path }) => path),
  };
}

const down = () => Promise.reject(new DragomanError('unavailable', 'it is down'));

test.each(STORE_ENGINES)('files are found by the meaning that given vectors have (%s)', async (engine) => {
  const embedder = axesEmbedder();
  const { add, ask, index, warnings } = await openHouse(() => embedder, { engine });
  await add(...FILES);

  expect((await ask(QUESTION))[0]).toBe('src/letter.ts');
  expect((await ask('how much perseverance there is'))[0]).toBe('src/backoff.ts');
  expect((await ask(BY_WORDS))[0]).toBe('src/letter.ts');
  const [explained] = await index.search(
    { key: 'one', blobNames: new Set([LETTER.blobName]) },
    { query: QUESTION, limit: 1, isExplained: true },
  );
  expect(explained).toMatchObject({ path: 'src/letter.ts', start: 1, end: 3, symbol: 'dispatch' });
  expect(warnings).toEqual([]);
});

test('a question that gets no vector is answered by words alone', async () => {
  const embedder = axesEmbedder();
  const { add, ask, warnings } = await openHouse(() => embedder);
  await add(...FILES);
  embedder.instead = down;

  expect(await ask(QUESTION)).toEqual([]);
  expect((await ask(BY_WORDS))[0]).toBe('src/letter.ts');
  expect(warnings).toEqual(Array(2).fill('the vector of a question could not be had; it is answered by words alone'));

  embedder.instead = undefined;
  expect((await ask(QUESTION))[0]).toBe('src/letter.ts');
});

test('files that got no vectors are found by words, and those beside them by meaning', async () => {
  const embedder = axesEmbedder();
  const { add, ask, index, warnings } = await openHouse(() => embedder);
  embedder.instead = down;
  await add(LETTER);
  embedder.instead = undefined;
  await add(BACKOFF, PAINT);

  expect(warnings).toEqual(['code has no vectors yet; words alone find it until the provider answers']);
  expect((await ask(BY_WORDS))[0]).toBe('src/letter.ts');
  expect((await ask('how much perseverance there is'))[0]).toBe('src/backoff.ts');
  expect(await ask(QUESTION)).not.toContain('src/letter.ts');

  await index.makeUp();
  expect((await ask(QUESTION))[0]).toBe('src/letter.ts');
});

test('a question about a file whose vectors nobody makes finds it by words before long', async () => {
  const embedder = axesEmbedder();
  const { add, ask, put } = await openHouse(() => embedder, { patienceMs: 20, questionLimitMs: 20 });
  await add(BACKOFF, PAINT);
  embedder.instead = (_texts, signal) =>
    new Promise((_resolve, reject) => signal!.addEventListener('abort', () => reject(signal!.reason as Error)));

  await put(LETTER);

  expect((await ask(BY_WORDS))[0]).toBe('src/letter.ts');
});

test('when other vectors are wanted, segments are built anew with them, and so on the way back', async () => {
  const embedder = axesEmbedder();
  let wanted: AxesEmbedder | undefined;
  const { add, ask, warnings } = await openHouse(() => wanted);
  await add(...FILES);
  expect((await ask(BY_WORDS))[0]).toBe('src/letter.ts');

  wanted = embedder;
  expect((await ask(QUESTION))[0]).toBe('src/letter.ts');
  expect(embedder.calls.flat()).toContain('src/letter.ts');

  wanted = axesEmbedder(96, 'test/axes 96');
  expect((await ask(QUESTION))[0]).toBe('src/letter.ts');

  const asked = wanted.calls.length;
  wanted = undefined;
  expect((await ask(BY_WORDS))[0]).toBe('src/letter.ts');
  expect(embedder.calls.length + asked).toBe(4); // Twice for the files, twice for the question.
  expect(new Set(warnings)).toEqual(new Set(['a piece of the index cannot be read and is built again']));
});

test('a model that was changed under its name has all vectors made again', async () => {
  const embedder = axesEmbedder(40);
  const { add, ask, warnings } = await openHouse(() => embedder);
  await add(...FILES);
  embedder.instead = (texts) => Promise.resolve(texts.map((text) => axesOf(text, 96)));

  expect((await ask(QUESTION))[0]).toBe('src/letter.ts');
  expect(warnings).toEqual(['a piece of the index cannot be read and is built again']);
});

test('vectors of questions that never fit those of files leave the question to words', async () => {
  const embedder = axesEmbedder(40);
  const { add, ask, warnings } = await openHouse(() => embedder);
  embedder.instead = (texts) =>
    Promise.resolve(texts.map((text) => axesOf(text, texts.includes(QUESTION) || texts.includes(BY_WORDS) ? 96 : 40)));
  await add(...FILES);

  expect(await ask(QUESTION)).toEqual([]);
  const asked = embedder.calls.length;
  expect((await ask(BY_WORDS))[0]).toBe('src/letter.ts');

  const told = 'the vector of a question could not be had; it is answered by words alone';
  expect(warnings).toEqual(['a piece of the index cannot be read and is built again', told, told]);
  expect(embedder.calls.slice(asked)).toEqual([[BY_WORDS]]); // Files are not embedded for each question.
});

test('a question that is being answered when other vectors are wanted gets its answer', async () => {
  const slow = axesEmbedder();
  let wanted: AxesEmbedder | undefined = slow;
  const { add, ask } = await openHouse(() => wanted);
  await add(...FILES);
  const asked = Promise.withResolvers<void>();
  slow.instead = (_texts, signal) => {
    asked.resolve();
    return new Promise((_resolve, reject) => signal!.addEventListener('abort', () => reject(signal!.reason as Error)));
  };

  const before = ask(BY_WORDS);
  await asked.promise;
  wanted = undefined;

  expect((await ask(BY_WORDS))[0]).toBe('src/letter.ts');
  expect((await before)[0]).toBe('src/letter.ts');
});

test('what is being indexed when other vectors are wanted is indexed with those', async () => {
  const slow = axesEmbedder();
  let wanted: AxesEmbedder | undefined = slow;
  const { add, ask } = await openHouse(() => wanted);
  const asked = Promise.withResolvers<void>();
  slow.instead = (_texts, signal) => {
    asked.resolve();
    return new Promise((_resolve, reject) => signal!.addEventListener('abort', () => reject(signal!.reason as Error)));
  };

  const added = add(...FILES);
  await asked.promise;
  wanted = axesEmbedder(96, 'test/axes 96');

  expect((await ask(QUESTION))[0]).toBe('src/letter.ts');
  await added;
});

/** Two servers with folders of their own that share a PostgreSQL. */
async function openTwo(setup: HouseSetup = {}) {
  const location = await freshLocation('postgres', [contextMigrations]);
  const embedders = [axesEmbedder(), axesEmbedder()] as const;
  const [a, b] = await Promise.all(embedders.map((one) => openHouse(() => one, { ...setup, location })));
  return { a: a!, b: b!, ofA: embedders[0], ofB: embedders[1] };
}

/** Makes nothing until it is called off. */
const hang: AxesEmbedder['instead'] = (_texts, signal) =>
  new Promise((_resolve, reject) => signal!.addEventListener('abort', () => reject(signal!.reason as Error)));

test('a question does not wait for vectors that another server is making longer than for those made here', async () => {
  const { a, b, ofA } = await openTwo({ patienceMs: 20 });
  ofA.instead = hang;
  await a.put(LETTER);
  await a.index.add([LETTER]);
  await expect.poll(() => ofA.calls.length, { timeout: 60_000 }).toBe(1);

  expect((await b.ask(BY_WORDS))[0]).toBe('src/letter.ts');

  ofA.instead = undefined;
  await a.index.makeUp();
  expect((await b.ask(QUESTION))[0]).toBe('src/letter.ts');
});

test('files that got no vectors at one server get them, also where another one merges what it has not seen', async () => {
  const { a, b, ofA } = await openTwo();
  ofA.instead = down;
  await a.add(LETTER);
  ofA.instead = undefined;
  for (let at = 0; at < 9; at++) await b.add(blobOf(`src/other${at}.ts`));
  await b.index.forget([]); // It waits its turn behind the merge.

  await b.index.makeUp();

  expect((await b.ask(QUESTION))[0]).toBe('src/letter.ts');
  expect((await a.ask(QUESTION))[0]).toBe('src/letter.ts');
});

test('of two servers that make up for the vectors of the same files, one has them made', async () => {
  const { a, b, ofA, ofB } = await openTwo();
  ofA.instead = down;
  await a.add(...FILES);
  const asked = Promise.withResolvers<void>();
  const goOn = Promise.withResolvers<void>();
  ofA.instead = async (texts) => {
    asked.resolve();
    await goOn.promise;
    return texts.map((text) => axesOf(text, 40));
  };

  const makingUp = a.index.makeUp();
  await asked.promise;
  await b.index.makeUp();
  expect(ofB.calls).toEqual([]);
  goOn.resolve();
  await makingUp;

  expect((await b.ask(QUESTION))[0]).toBe('src/letter.ts');
  expect(ofB.calls).toEqual([[QUESTION]]);
});
