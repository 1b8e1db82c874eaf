import { DragomanError } from '@dragoman/protocol';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { packQuery } from '../vectors/pack-query.ts';
import { VectorTable } from '../vectors/vector-table.ts';
import { axesEmbedder, axesOf } from './axes-embedder.fixture.ts';
import { embedSegment } from './embed-segment.ts';
import { padVector } from './pad-vector.ts';

const { signal } = new AbortController();
const TEXTS = { chunks: ['a.ts\nretry', 'a.ts\nmail', 'b.ts\nnothing known'], paths: ['a.ts', 'src/cache.ts'] };

/** Which of the packed vectors, of 33 to 64 numbers, have the direction of a text. */
function alike(packed: Uint8Array, text: string, dimensions: number): boolean[] {
  const table = new VectorTable(packed.length / 32, 64);
  table.bytes.set(packed);
  const { numbers, scale } = packQuery(padVector(axesOf(text, dimensions)));
  return [...table.scan(numbers)].map((product) => product * scale > 0.7);
}

test('chunks and paths get the vectors of their texts, filled up to whole blocks', async () => {
  const embedder = axesEmbedder(40);

  const { vectors, missing } = await embedSegment(TEXTS, embedder, signal);

  expect(missing).toBe(0);
  expect(vectors.chunks).toHaveLength(3 * 32);
  expect(alike(vectors.chunks, 'backoff', 40)).toEqual([true, false, false]);
  expect(alike(vectors.paths, 'remember', 40)).toEqual([false, true]);
});

test('equal texts are asked for once', async () => {
  const embedder = axesEmbedder();
  const { vectors } = await embedSegment({ chunks: ['mail', 'x', 'mail'], paths: ['x', 'mail'] }, embedder, signal);
  expect(embedder.calls).toEqual([['mail', 'x']]);
  expect(vectors.chunks.subarray(0, 32)).toEqual(vectors.chunks.subarray(64, 96));
  expect(vectors.paths.subarray(32)).toEqual(vectors.chunks.subarray(0, 32));
});

test('where nobody makes vectors, the segment has none, and nobody is asked again for it', async () => {
  const embedder = axesEmbedder();
  embedder.instead = () => Promise.reject(new DragomanError('unavailable', 'it is down'));
  const chunks = Array.from({ length: 1_000 }, (_, at) => `chunk ${at}`);

  const { vectors, missing, error, isDown } = await embedSegment({ chunks, paths: ['p'] }, embedder, signal);

  expect(vectors).toEqual({ chunks: new Uint8Array(), paths: new Uint8Array() });
  expect({ missing, error, isDown }).toMatchObject({ missing: 1_001, error: { message: 'it is down' }, isDown: true });
  expect(embedder.calls).toHaveLength(1);
});

test('texts that are refused get vectors near to nothing, and the others get theirs', async () => {
  const embedder = axesEmbedder();
  embedder.instead = (texts) =>
    texts.includes('odd')
      ? Promise.reject(new DragomanError('bad-request', 'this text is odd'))
      : Promise.resolve(texts.map((text) => axesOf(text, 40)));
  const chunks = ['odd', ...Array.from({ length: 383 }, (_, at) => `mail ${at}`), 'mail of the second call'];

  const { vectors, missing, isDown } = await embedSegment({ chunks, paths: ['letter'] }, embedder, signal);

  expect({ missing, isDown }).toEqual({ missing: 384, isDown: false });
  expect(alike(vectors.chunks, 'mail', 40)).toEqual(chunks.map((_, at) => at === 384));
  expect(alike(vectors.paths, 'mail', 40)).toEqual([true]);
});

test('vectors of another length than the first ones are not taken', async () => {
  const embedder = axesEmbedder();
  embedder.instead = (texts) => Promise.resolve(texts.map((text) => axesOf(text, texts.length > 300 ? 40 : 80)));
  const chunks = Array.from({ length: 400 }, (_, at) => `mail ${at}`);

  const { vectors, missing, error } = await embedSegment({ chunks, paths: [] }, embedder, signal);

  expect(vectors.chunks).toHaveLength(400 * 32);
  expect(missing).toBe(16);
  expect(error).toMatchObject({
    message: 'test/axes made vectors of different lengths, one of them of 80 numbers: they cannot be compared.',
  });
});

test('it ends when it is not wanted any more', async () => {
  const embedder = axesEmbedder();
  const leaving = new AbortController();
  embedder.instead = () => {
    leaving.abort(new Error('enough'));
    return Promise.reject(new Error('cut off'));
  };
  await expect(embedSegment(TEXTS, embedder, leaving.signal)).rejects.toThrow('enough');
});

test('every text has its vector at its place, whatever fails', async () => {
  const word = fc.constantFrom<string>('retry', 'mail', 'cache', 'colour', 'other');
  await fc.assert(
    fc.asyncProperty(
      fc.array(word),
      fc.array(word),
      fc.constantFrom<string>('retry', 'mail', 'none'),
      async (chunks, paths, bad) => {
        const embedder = axesEmbedder(33);
        embedder.instead = (texts) =>
          texts.includes(bad)
            ? Promise.reject(new DragomanError('bad-request', 'no'))
            : Promise.resolve(texts.map((text) => axesOf(text, 33)));
        const { vectors, missing } = await embedSegment({ chunks, paths }, embedder, signal);
        const all = [...chunks, ...paths];
        const isRefused = all.includes(bad);
        expect(missing).toBe(isRefused ? all.length : 0);
        for (const [texts, packed] of [
          [chunks, vectors.chunks],
          [paths, vectors.paths],
        ] as const) {
          expect(packed).toHaveLength(isRefused ? 0 : texts.length * 32);
          if (packed.length === 0) continue;
          expect(alike(packed, 'mail', 33)).toEqual(texts.map((text) => text === 'mail'));
        }
      },
    ),
    { numRuns: 50 },
  );
});
