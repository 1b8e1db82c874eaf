import type { WordVectors } from './vector-file.ts';
import type { WordRows } from './word-rows.ts';

/** A name's words as rows, and about how long the sum of their vectors is. */
interface NameRows {
  rows: readonly number[];
  length: number;
}

/** Names come again and again. */
const MOST_KEPT = 100_000;

/** Tells how near names are to a question by meaning, for the few files that are looked at closely. */
export class NameLikeness {
  readonly #vectors: WordVectors;
  readonly #rows: WordRows;
  /** By row: the square of its vector's length; 0 until it is asked for. */
  readonly #squares: Float32Array;
  readonly #known = new Map<string, NameRows>();

  constructor(vectors: WordVectors, rows: WordRows) {
    this.#vectors = vectors;
    this.#rows = rows;
    this.#squares = new Float32Array(vectors.words.length);
  }

  /** The likeness of any name to this question, about from -1 to 1; 0 where nothing of the name is known. */
  likenessTo(question: string): (name: string) => number {
    const asked = this.#asked(question);
    const products = new Map<number, number>();
    const product = (row: number) => {
      let value = products.get(row);
      if (value === undefined) products.set(row, (value = this.#product(row, asked)));
      return value;
    };
    return (name) => {
      const { rows, length } = this.#rowsOf(name);
      let total = 0;
      for (const row of rows) total += product(row);
      return length === 0 ? 0 : total / length;
    };
  }

  /** Of length 1. */
  #asked(question: string): Float32Array {
    const { table, askScales, dimensions } = this.#vectors;
    const asked = new Float32Array(dimensions);
    for (const row of this.#rows.ofText(question))
      for (let at = 0; at < dimensions; at++) asked[at]! += askScales[row]! * table[row * dimensions + at]!;
    const length = Math.hypot(...asked);
    return length === 0 ? asked : asked.map((value) => value / length);
  }

  #product(row: number, asked: Float32Array): number {
    const { table, sayScales, dimensions } = this.#vectors;
    let sum = 0;
    for (let at = 0; at < dimensions; at++) sum += asked[at]! * table[row * dimensions + at]!;
    return sum * sayScales[row]!;
  }

  /** The words of a name are taken as if they had nothing to do with one another: adding them up would cost more than it tells. */
  #rowsOf(name: string): NameRows {
    let known = this.#known.get(name);
    if (known === undefined) {
      const rows = this.#rows.ofText(name);
      let square = 0;
      for (const row of rows) square += this.#square(row);
      known = { rows, length: Math.sqrt(square) };
      if (this.#known.size >= MOST_KEPT) this.#known.clear();
      this.#known.set(name, known);
    }
    return known;
  }

  #square(row: number): number {
    if (this.#squares[row] === 0) {
      const { table, sayScales, dimensions } = this.#vectors;
      let square = 0;
      for (let at = row * dimensions; at < (row + 1) * dimensions; at++) square += table[at]! * table[at]!;
      this.#squares[row] = square * sayScales[row]! ** 2;
    }
    return this.#squares[row]!;
  }
}
