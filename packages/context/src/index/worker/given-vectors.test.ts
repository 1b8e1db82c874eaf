import { join } from 'node:path';
import { DragomanError } from '@dragoman/protocol';
import { STORE_ENGINES, tempFolder } from '@dragoman/testkit';
import { expect, onTestFinished, test } from 'vitest';
import type { Blob } from '../../blob-server.ts';
import { blobOf, openContextStore } from '../blobs/blob.fixture.ts';
import { BlobStore } from '../blobs/blob-store.ts';
import { axesEmbedder, axesOf, type AxesEmbedder } from '../embedder/axes-embedder.fixture.ts';
import { padVector } from '../embedder/pad-vector.ts';
import { SegmentReader } from '../segment/segment-reader.ts';
import { SegmentStore } from '../segment/segment-store.ts';
import { packQuery } from '../vectors/pack-query.ts';
import { SegmentWriter, type SegmentWriterOptions } from './segment-writer.ts';

const USER = 'usr_1';
const RETRY = blobOf('src/net/retry.ts', 'export const backoff = 1;\n');
const MAIL = blobOf('src/post/letter.ts', 'export const to = "ada";\n');
const OTHER = blobOf('other.ts', 'void 0;\n');
const namesOf = (blobs: readonly Blob[]) => blobs.map(({ blobName }) => blobName);

const down = () => Promise.reject(new DragomanError('unavailable', 'it is down'));
/** Until it is called off. */
const hang: AxesEmbedder['instead'] = (_texts, signal) =>
  new Promise((_resolve, reject) => signal!.addEventListener('abort', () => reject(signal!.reason as Error)));

interface WriterSetup extends SegmentWriterOptions {
  embedder: AxesEmbedder;
  engine?: (typeof STORE_ENGINES)[number];
}

async function openWriter({ engine = 'sqlite', ...options }: WriterSetup) {
  const store = await openContextStore(engine);
  const blobs = new BlobStore(store);
  const segments = new SegmentStore(join(tempFolder(), 'index'), store);
  const warnings: object[] = [];
  const log = {
    debug: () => {},
    warn: (facts: object, message: string) => void warnings.push({ ...facts, message }),
  };
  const writer = new SegmentWriter(segments, blobs, log, options);
  onTestFinished(() => writer.close());
  return {
    writer,
    blobs,
    segments,
    warnings,
    /** One on the same segments, as in another process. */
    openAnother(others: SegmentWriterOptions) {
      const another = new SegmentWriter(segments, blobs, log, others);
      onTestFinished(() => another.close());
      return another;
    },
    async add(...added: Blob[]) {
      await blobs.put(USER, added);
      await writer.add(added);
      await writer.whenIndexed(namesOf(added));
    },
    /** For each segment, oldest first: its paths, and whether path and chunks have the direction of the text. */
    async alike(text: string, dimensions = 40, { space } = options.embedder) {
      const { numbers, scale } = packQuery(padVector(axesOf(text, dimensions)));
      return (await segments.list()).reverse().map(({ id }) => {
        const reader = new SegmentReader(segments.fileOf(id), { space });
        expect(reader.takesQuestion(numbers.length)).toBe(true);
        const near = (name: 'pathVectors' | 'chunkVectors') =>
          [...reader.vectors(name).scan(numbers)].map((product) => product * scale > 0.7);
        const [paths, chunks] = [near('pathVectors'), near('chunkVectors')];
        const found = Object.fromEntries(paths.map((path, file) => [reader.path(file), [path, chunks[file]]]));
        reader.close();
        return found;
      });
    },
  };
}

test.each(STORE_ENGINES)('a segment has the vectors that were given for its texts (%s)', async (engine) => {
  const embedder = axesEmbedder();
  const { add, alike, warnings } = await openWriter({ embedder, engine });

  await add(RETRY, MAIL, OTHER);

  expect(new Set(embedder.calls.flat())).toEqual(
    new Set([
      'net/retry.ts\nexport const backoff = 1;\n',
      'post/letter.ts\nexport const to = "ada";\n',
      'other.ts\nvoid 0;\n',
      'net/retry.ts',
      'post/letter.ts',
      'other.ts',
    ]),
  );
  expect(await alike('perseverance')).toEqual([
    { 'src/net/retry.ts': [true, true], 'src/post/letter.ts': [false, false], 'other.ts': [false, false] },
  ]);
  expect(await alike('mail')).toMatchObject([{ 'src/post/letter.ts': [true, true] }]);
  expect(warnings).toEqual([]);
});

test('what comes while vectors are being made is in the next segment, with its own', async () => {
  const embedder = axesEmbedder();
  const { writer, blobs, alike } = await openWriter({ embedder });
  const asked = Promise.withResolvers<void>();
  const goOn = Promise.withResolvers<void>();
  embedder.instead = async (texts) => {
    asked.resolve();
    await goOn.promise;
    return texts.map((text) => axesOf(text, 40));
  };
  await blobs.put(USER, [RETRY, MAIL]);

  await writer.add([RETRY]);
  await asked.promise;
  await writer.add([MAIL]);
  goOn.resolve();
  await writer.whenIndexed(namesOf([RETRY, MAIL]));

  expect(await alike('retry')).toEqual([
    { 'src/net/retry.ts': [true, true] },
    { 'src/post/letter.ts': [false, false] },
  ]);
  expect(await alike('mail')).toEqual([{ 'src/net/retry.ts': [false, false] }, { 'src/post/letter.ts': [true, true] }]);
});

test('where none can be made, files are indexed without, and one line says how many', async () => {
  const embedder = axesEmbedder();
  const { add, alike, warnings } = await openWriter({ embedder, embedderRestMs: 0 });
  embedder.instead = down;

  await add(RETRY, MAIL);

  expect(await alike('retry')).toEqual([{ 'src/net/retry.ts': [false, false], 'src/post/letter.ts': [false, false] }]);
  expect(warnings).toEqual([
    {
      vectors: 'test/axes',
      missing: 4,
      of: 4,
      reason: 'it is down',
      message: 'code has no vectors yet; words alone find it until the provider answers',
    },
  ]);

  embedder.instead = undefined;
  await add(OTHER);
  expect(warnings).toHaveLength(1);
});

test('what makes vectors is left alone for a while after it failed', async () => {
  const embedder = axesEmbedder();
  const { add, warnings } = await openWriter({ embedder, embedderRestMs: 3_600_000 });
  embedder.instead = () => Promise.reject(new DragomanError('timed-out', 'it hangs'));

  await add(RETRY);
  await add(MAIL);

  expect(embedder.calls).toHaveLength(1);
  expect(warnings).toMatchObject([
    { missing: 2, reason: 'it hangs' },
    { missing: 2, reason: 'test/axes failed a moment ago and is not asked now.' },
  ]);
});

test.each(STORE_ENGINES)('files that got no vectors get them once they can be had (%s)', async (engine) => {
  const embedder = axesEmbedder();
  const { writer, add, alike, warnings } = await openWriter({ embedder, engine, embedderRestMs: 0 });
  embedder.instead = down;
  await add(RETRY, MAIL);
  await writer.makeUp();
  expect(await alike('mail')).toEqual([{ 'src/net/retry.ts': [false, false], 'src/post/letter.ts': [false, false] }]);

  embedder.instead = undefined;
  await writer.makeUp();

  expect(await alike('mail')).toEqual([{ 'src/net/retry.ts': [false, false], 'src/post/letter.ts': [true, true] }]);
  expect(warnings).toHaveLength(1); // The same reason is told once.
  const asked = embedder.calls.length;
  await writer.makeUp();
  expect(embedder.calls).toHaveLength(asked);
});

test('a process that stays makes up for them by itself', async () => {
  const embedder = axesEmbedder();
  const { add, alike } = await openWriter({ embedder, embedderRestMs: 0, isStaying: true });
  embedder.instead = down;
  await add(MAIL);
  embedder.instead = undefined;

  await expect.poll(() => alike('mail'), { timeout: 60_000 }).toEqual([{ 'src/post/letter.ts': [true, true] }]);
});

test('a process that stays finds what others left without, and what was made elsewhere before', async () => {
  const embedder = axesEmbedder();
  const { add, alike, segments, openAnother } = await openWriter({ embedder, embedderRestMs: 0 });
  embedder.instead = down;
  await add(MAIL);
  const staying = openAnother({ embedder: axesEmbedder(96, 'test/others'), isStaying: true });

  staying.lookAfter(await segments.list());

  await expect
    .poll(() => alike('mail', 96, { ...embedder, space: 'test/others' }).catch(() => 'not yet'), { timeout: 60_000 })
    .toEqual([{ 'src/post/letter.ts': [true, true] }]);
});

test('while what makes vectors is left alone, nothing is made up for', async () => {
  const embedder = axesEmbedder();
  const { writer, add } = await openWriter({ embedder, embedderRestMs: 3_600_000 });
  embedder.instead = down;
  await add(RETRY);

  await writer.makeUp();

  expect(embedder.calls).toHaveLength(1);
});

test('many files get their vectors some at a time, and what was made stays when the rest fails', async () => {
  const embedder = axesEmbedder();
  const { writer, add, alike } = await openWriter({ embedder, embedderRestMs: 0 });
  const parts = Array.from({ length: 250 }, (_, at) => blobOf(`src/mail${at}.ts`));
  embedder.instead = down;
  await add(...parts);
  let calls = 0;
  embedder.instead = (texts) => (++calls > 2 ? down() : Promise.resolve(texts.map((text) => axesOf(text, 40))));

  await writer.makeUp();
  const found = Object.values(Object.assign({}, ...(await alike('letter'))) as Record<string, boolean[]>);
  expect(found.filter(([path]) => path)).toHaveLength(200);

  embedder.instead = undefined;
  await writer.makeUp();
  expect(Object.assign({}, ...(await alike('letter')))).toEqual(
    Object.fromEntries(parts.map(({ path }) => [path, [true, true]])),
  );
});

test('files whose texts are refused are not asked for again', async () => {
  const embedder = axesEmbedder();
  const { writer, add, warnings } = await openWriter({ embedder });
  embedder.instead = () => Promise.reject(new DragomanError('bad-request', 'this text is odd'));
  await add(MAIL);
  await writer.makeUp();
  const asked = embedder.calls.length;
  await writer.makeUp();

  expect(embedder.calls).toHaveLength(asked);
  expect(warnings).toMatchObject([{ message: 'code has no vectors; words alone find it until it changes' }]);
});

test('segments without vectors become one among themselves, and get theirs', async () => {
  const embedder = axesEmbedder();
  const { writer, add, alike } = await openWriter({ embedder, embedderRestMs: 0 });
  const parts = Array.from({ length: 9 }, (_, at) => blobOf(`src/mail${at}.ts`));
  await add(parts[8]!);
  embedder.instead = down;
  for (const part of parts.slice(0, 8)) await add(part);
  await writer.compact(); // It waits its turn behind the merge.
  expect(await alike('letter')).toEqual([
    { 'src/mail8.ts': [true, true] },
    Object.fromEntries(parts.slice(0, 8).map(({ path }) => [path, [false, false]])),
  ]);

  embedder.instead = undefined;
  await writer.makeUp();
  expect(Object.assign({}, ...(await alike('letter')))).toEqual(
    Object.fromEntries(parts.map(({ path }) => [path, [true, true]])),
  );
});

test('a question waits for vectors of files only for a moment; they are found by words, and get theirs later', async () => {
  const embedder = axesEmbedder();
  const { writer, add, alike, warnings } = await openWriter({ embedder, embedderRestMs: 0, patienceMs: 20 });
  embedder.instead = hang;

  await writer.whileAsked(async () => {
    await add(MAIL);
    await add(RETRY); // Nobody is asked for these: the question has waited long enough.
  });

  expect(embedder.calls).toHaveLength(1);
  expect(await alike('mail')).toMatchObject([{ 'src/post/letter.ts': [false, false] }, {}]);
  expect(warnings[0]).toMatchObject({
    message: 'code has no vectors yet; words alone find it until the provider answers',
  });

  embedder.instead = undefined;
  await writer.makeUp();
  expect(Object.assign({}, ...(await alike('mail')))).toMatchObject({ 'src/post/letter.ts': [true, true] });
});

test('segments whose vectors have other dimensions than the newest are built again, not merged', async () => {
  const embedder = axesEmbedder(40);
  const { writer, add, alike, warnings } = await openWriter({ embedder });
  const parts = Array.from({ length: 8 }, (_, at) => blobOf(`src/mail${at}.ts`));
  for (const [at, part] of parts.entries()) {
    if (at === 6) embedder.instead = (texts) => Promise.resolve(texts.map((text) => axesOf(text, 96)));
    await add(part);
  }
  await writer.compact();
  await writer.whenIndexed(namesOf(parts));
  await writer.compact();

  expect(warnings).toHaveLength(6);
  expect(warnings[0]).toMatchObject({
    message: 'a piece of the index cannot be read and is built again',
    reason: expect.stringMatching(/ has vectors of 64 numbers; newer ones have 96$/) as string,
  });
  const found = Object.assign({}, ...(await alike('letter', 96))) as object;
  expect(found).toEqual(Object.fromEntries(parts.map(({ path }) => [path, [true, true]])));
});

test('whoever closes the index does not wait for vectors, and nothing that was stored is lost', async () => {
  const embedder = axesEmbedder();
  const { writer, blobs, warnings } = await openWriter({ embedder });
  const asked = Promise.withResolvers<void>();
  embedder.instead = (_texts, signal) => {
    asked.resolve();
    return new Promise((_resolve, reject) => signal!.addEventListener('abort', () => reject(signal!.reason as Error)));
  };
  await blobs.put(USER, [RETRY]);
  await writer.add([RETRY]);
  await asked.promise;

  await writer.close();

  expect((await blobs.missing(USER, [RETRY.blobName])).nonindexed).toEqual([RETRY.blobName]);
  expect(warnings).toEqual([]);
});
