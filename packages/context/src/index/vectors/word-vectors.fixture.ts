import { createHash } from 'node:crypto';
import { type WordVectors, readVectorFile, writeVectorFile } from './vector-file.ts';

/** A hash has as many bytes. */
const DIMENSIONS = 32;

/**
 * Vectors for these words, of 32 numbers that nobody trained: words have nothing to do with one another. A word counts the
 * same in questions and in code, and its scale is a power of two, so that sums of them are exact.
 */
export function wordVectors(...words: readonly string[]): WordVectors {
  const rows = words.map((word) => [...createHash('sha256').update(word).digest()]);
  const scales = Float32Array.from(words, () => 2 ** -6);
  return readVectorFile(
    writeVectorFile({
      words,
      dimensions: DIMENSIONS,
      table: Int8Array.from(rows.flat()),
      askScales: scales,
      sayScales: scales,
    }),
  );
}
