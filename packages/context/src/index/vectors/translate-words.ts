import { isChinese } from '../text/is-chinese.ts';
import { packQuery } from './pack-query.ts';
import { packVector } from './pack-vector.ts';
import type { WordVectors } from './vector-file.ts';
import { VectorTable } from './vector-table.ts';

/** Words nearer than this say the same; of those, so many are taken. */
const LEAST_LIKENESS = 0.5;
const MOST_WORDS = 2;

/**
 * Which English words stand nearest to the Chinese ones of a question, so that names and paths are found, too.
 *
 * Chinese has no spaces: each two neighbouring characters may be a word. Those that are none have nothing near.
 */
export class WordTranslations {
  readonly #vectors: WordVectors;
  readonly #english: number[];
  readonly #table: VectorTable;
  readonly #rowOf: ReadonlyMap<string, number>;
  readonly #known = new Map<string, readonly string[]>();

  constructor(vectors: WordVectors) {
    const { words, dimensions } = vectors;
    this.#vectors = vectors;
    this.#english = [...words.keys()].filter((row) => /^[a-z]{3,}$/.test(words[row]!));
    this.#rowOf = new Map([...words.entries()].filter(([, word]) => isChinese(word)).map(([row, word]) => [word, row]));
    this.#table = new VectorTable(this.#english.length, dimensions);
    const bytes = dimensions / 2;
    for (const [at, row] of this.#english.entries())
      packVector(this.#row(row), this.#table.bytes.subarray(at * bytes, (at + 1) * bytes));
  }

  /** In the order of the text, without repeats. */
  translate(text: string): string[] {
    const found = new Set<string>();
    for (const [run] of text.matchAll(/\p{Script=Han}+/gu)) {
      const characters = Array.from(run);
      for (let at = 0; at + 1 < characters.length; at++)
        for (const word of this.#ofWord(`${characters[at]}${characters[at + 1]}`)) found.add(word);
    }
    return [...found];
  }

  #ofWord(word: string): readonly string[] {
    const row = this.#rowOf.get(word);
    if (row === undefined) return [];
    let near = this.#known.get(word);
    if (near === undefined) this.#known.set(word, (near = this.#nearest(row)));
    return near;
  }

  #nearest(row: number): string[] {
    const { numbers, scale } = packQuery(this.#row(row));
    const products = this.#table.scan(numbers);
    return [...products.keys()]
      .filter((at) => products[at]! * scale >= LEAST_LIKENESS)
      .sort((one, other) => products[other]! - products[one]!)
      .slice(0, MOST_WORDS)
      .map((at) => this.#vectors.words[this.#english[at]!]!);
  }

  #row(row: number): Float32Array {
    const { table, dimensions } = this.#vectors;
    return Float32Array.from(table.subarray(row * dimensions, (row + 1) * dimensions));
  }
}
