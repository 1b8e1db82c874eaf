import { isChinese } from '../text/is-chinese.ts';
import { NameLikeness } from './name-likeness.ts';
import { packQuery, type PackedQuery } from './pack-query.ts';
import { packedBytes, packVector } from './pack-vector.ts';
import { WordTranslations } from './translate-words.ts';
import { RowSums } from './row-sums.ts';
import type { WordVectors } from './vector-file.ts';
import { WordRows } from './word-rows.ts';

/** How often a word counts that is said n times: its root. */
const DAMPING = 0.5;
/** What each word of a path counts in the vector of what stands there, as in training. */
const PATH_WEIGHT = 1.5;

/** Rows of a path or a question, which may come more than once; what comes after so many changes nothing. */
const MOST_OTHERS = 10_000;

/** Makes vectors of code, paths and questions out of the vectors of their words. */
export class CodeVectors {
  readonly dimensions: number;
  /** What a vector of code or of a path takes. */
  readonly vectorBytes: number;
  /** Names the weights: only vectors of one space can be compared. */
  readonly space: string;
  readonly rows: WordRows;
  readonly #vectors: WordVectors;
  readonly #sums: RowSums;
  /** By row: how often it was said; those that were. */
  readonly #counts: Uint32Array;
  readonly #said: Uint32Array;
  #saidCount = 0;
  readonly #names: NameLikeness;
  #translations: WordTranslations | undefined;

  constructor(vectors: WordVectors) {
    this.#sums = new RowSums(vectors.table, vectors.dimensions, vectors.words.length + MOST_OTHERS);
    // The table is kept once.
    this.#vectors = { ...vectors, table: this.#sums.table };
    this.dimensions = vectors.dimensions;
    this.vectorBytes = packedBytes(vectors.dimensions);
    this.space = `words ${vectors.sum.toString(16)}`;
    this.rows = new WordRows(vectors.words);
    this.#names = new NameLikeness(this.#vectors, this.rows);
    this.#counts = new Uint32Array(vectors.words.length);
    this.#said = new Uint32Array(vectors.words.length);
  }

  /** Takes in a word of the code at hand. */
  say(row: number): void {
    if (this.#counts[row]!++ === 0) this.#said[this.#saidCount++] = row;
  }

  /** Puts down the vector of what was said since the last one, at a place given by its path's rows. */
  finishCode(pathRows: readonly number[], into: Uint8Array): void {
    const { sayScales } = this.#vectors;
    for (let at = 0; at < this.#saidCount; at++) {
      const row = this.#said[at]!;
      const count = this.#counts[row]!;
      this.#counts[row] = 0;
      this.#sums.add(row, sayScales[row]! * (count === 1 ? 1 : count ** DAMPING));
    }
    this.#saidCount = 0;
    for (const row of pathRows.slice(0, MOST_OTHERS)) this.#sums.add(row, sayScales[row]! * PATH_WEIGHT);
    packVector(this.#sums.finish(), into);
  }

  /** The rows of a path's last two parts: what stands before the code, and what a path's own vector is made of. */
  pathRows(path: string): number[] {
    return this.rows.ofText(pathText(path));
  }

  finishPath(pathRows: readonly number[], into: Uint8Array): void {
    packVector(this.#sumOf(pathRows, this.#vectors.sayScales), into);
  }

  /** Undefined where no word of the question is known. */
  question(text: string): PackedQuery | undefined {
    const rows = this.rows.ofText(text);
    return rows.length === 0 ? undefined : packQuery(this.#sumOf(rows, this.#vectors.askScales));
  }

  /** How near any name is to this question, from -1 to 1. */
  nameLikeness(question: string): (name: string) => number {
    return this.#names.likenessTo(question);
  }

  /** English words for the Chinese ones of a question. */
  translate(text: string): string[] {
    if (!isChinese(text)) return [];
    return (this.#translations ??= new WordTranslations(this.#vectors)).translate(text);
  }

  #sumOf(rows: readonly number[], scales: Float32Array): Float32Array {
    for (const row of rows.slice(0, MOST_OTHERS)) this.#sums.add(row, scales[row]!);
    return this.#sums.finish();
  }
}

/** The last two parts of a path, without the ending. */
export function pathText(path: string): string {
  return path
    .replace(/\.[a-z0-9]+$/i, '')
    .split('/')
    .slice(-2)
    .join(' ');
}
