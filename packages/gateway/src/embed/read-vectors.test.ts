import { expect, test } from 'vitest';
import { readVectors } from './read-vectors.ts';

const answer = (data: unknown) => JSON.stringify({ data, usage: { prompt_tokens: 7 } });

test('vectors stand in the order of the texts, whatever order they come in', () => {
  const data = [
    { index: 1, embedding: [3, 4] },
    { index: 0, embedding: [1, 2] },
  ];
  expect(readVectors(answer(data), 2, undefined)).toEqual({
    vectors: [Float32Array.of(1, 2), Float32Array.of(3, 4)],
    inputTokens: 7,
  });
});

test('another number of vectors than of texts is told, whatever they are', () => {
  for (const item of [1, 'a', {}, { embedding: [1] }])
    expect(readVectors(answer(Array.from({ length: 50_000 }, () => item)), 2, undefined)).toBe(
      'returned 50000 vectors for 2 texts',
    );
  expect(readVectors(answer([]), 2, undefined)).toBe('returned 0 vectors for 2 texts');
});

test('two vectors for the same text are none for the other', () => {
  const data = [
    { index: 1, embedding: [3, 4] },
    { index: 1, embedding: [1, 2] },
  ];
  expect(readVectors(answer(data), 2, undefined)).toBe('returned 2 vectors for 2 texts');
});

test('a place far beyond the texts is no place for a vector', () => {
  const data = [{ index: 4_000_000_000, embedding: [1] }];
  expect(readVectors(answer(data), 1, undefined)).toBe('returned 1 vectors for 1 texts');
});
