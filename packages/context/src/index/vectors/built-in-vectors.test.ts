import { statSync } from 'node:fs';
import { expect, test } from 'vitest';
import { builtInVectors } from './built-in-vectors.ts';
import { VectorTable } from './vector-table.ts';

const FILE = new URL('../../../vectors.bin', import.meta.url);

/** The words, nearest to the question first. */
function byNearness(question: string, words: readonly string[]): string[] {
  const vectors = builtInVectors();
  const table = new VectorTable(words.length, vectors.dimensions);
  for (const [index, word] of words.entries()) {
    const from = index * vectors.vectorBytes;
    vectors.finishPath(vectors.rows.ofText(word), table.bytes.subarray(from, from + vectors.vectorBytes));
  }
  const products = table.scan(vectors.question(question)!.numbers);
  return words.toSorted((one, other) => products[words.indexOf(other)]! - products[words.indexOf(one)]!);
}

test('the vectors that come with the package are at most six megabytes, of 256 dimensions', () => {
  expect(statSync(FILE).size).toBeLessThanOrEqual(6_000_000);
  expect(builtInVectors().dimensions).toBe(256);
  expect(builtInVectors().vectorBytes).toBe(128);
});

test('they know what words mean, in English and Chinese', () => {
  expect(byNearness('登录', ['parse', 'login'])).toEqual(['login', 'parse']);
  expect(byNearness('sign in', ['render', 'login'])).toEqual(['login', 'render']);
  expect(byNearness('删除', ['create', 'delete', 'font'])[0]).toBe('delete');
});
