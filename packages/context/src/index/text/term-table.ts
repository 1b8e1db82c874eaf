import type { WordRows } from '../vectors/word-rows.ts';
import { TermNumbers } from './term-numbers.ts';
import { wordTerms } from './word-terms.ts';

/** After so many different words the table begins anew; it is a cache, and nothing else refers to its numbers. */
const MOST_WORDS = 1_500_000;

/**
 * Reads words out of text and says which terms they have, as small numbers, and which rows among the word vectors.
 *
 * Source repeats itself: nearly every word was seen before. A word is recognised by a hash made while its letters are
 * passed over, so that only a new one costs a string.
 */
export class TermTable {
  readonly numbers = new TermNumbers();
  readonly #vectorRows: WordRows | undefined;
  #slots = new Int32Array(1 << 16);
  #keys = new Uint32Array(1 << 17);
  /** By word: where its terms begin in `#terms`. */
  #starts = new Uint32Array(1 << 16);
  #words = 0;
  #terms = new Uint32Array(1 << 17);
  #termCount = 0;
  /** The same for rows. */
  #rowStarts = new Uint32Array(1 << 16);
  #rows = new Uint32Array(1 << 17);
  #rowCount = 0;

  constructor(vectorRows?: WordRows) {
    this.#vectorRows = vectorRows;
  }

  get isFull(): boolean {
    return this.#words > MOST_WORDS;
  }

  /** Calls `each` with the number of every term between two positions of a text, in order, and `eachRow` with every row. */
  read(text: string, from: number, to: number, each: (term: number) => void, eachRow?: (row: number) => void): void {
    let at = from;
    while (at < to) {
      let code = text.charCodeAt(at);
      if (code < 128 ? IS_WORD[code] === 0 : !isWideWordChar(code)) {
        at++;
        continue;
      }
      const start = at;
      let first = 0x811c9dc5;
      let second = 0x9747b28c;
      do {
        first = Math.imul(first ^ code, 0x01000193);
        second = Math.imul(second ^ code, 0x5bd1e995);
        second ^= second >>> 15;
        if (++at === to) break;
        code = text.charCodeAt(at);
      } while (code < 128 ? IS_WORD[code] === 1 : isWideWordChar(code));
      const word = this.#find(first >>> 0, second >>> 0, text, start, at);
      const terms = this.#terms;
      const end = this.#starts[word + 1]!;
      for (let term = this.#starts[word]!; term < end; term++) each(terms[term]!);
      if (eachRow === undefined) continue;
      const rows = this.#rows;
      const rowEnd = this.#rowStarts[word + 1]!;
      for (let row = this.#rowStarts[word]!; row < rowEnd; row++) eachRow(rows[row]!);
    }
  }

  #find(first: number, second: number, text: string, start: number, end: number): number {
    const mask = this.#slots.length - 1;
    let slot = (first ^ (second >>> 7)) & mask;
    for (;;) {
      const word = this.#slots[slot]! - 1;
      if (word < 0) break;
      if (this.#keys[word * 2] === first && this.#keys[word * 2 + 1] === second) return word;
      slot = (slot + 1) & mask;
    }
    return this.#learn(first, second, text.slice(start, end), slot);
  }

  #learn(first: number, second: number, text: string, slot: number): number {
    const word = this.#words++;
    if (word + 2 > this.#starts.length) {
      this.#starts = grown(this.#starts);
      this.#rowStarts = grown(this.#rowStarts);
      this.#keys = grown(this.#keys);
    }
    this.#keys[word * 2] = first;
    this.#keys[word * 2 + 1] = second;
    for (const term of wordTerms(text)) {
      if (this.#termCount === this.#terms.length) this.#terms = grown(this.#terms);
      this.#terms[this.#termCount++] = this.numbers.number(term);
    }
    this.#starts[word + 1] = this.#termCount;
    for (const row of this.#vectorRows?.ofText(text) ?? []) {
      if (this.#rowCount === this.#rows.length) this.#rows = grown(this.#rows);
      this.#rows[this.#rowCount++] = row;
    }
    this.#rowStarts[word + 1] = this.#rowCount;
    this.#slots[slot] = word + 1;
    if (word * 2 > this.#slots.length) this.#spread();
    return word;
  }

  /** More slots, so that words are found at the first look again. */
  #spread(): void {
    const slots = new Int32Array(this.#slots.length * 4);
    const mask = slots.length - 1;
    for (let word = 0; word < this.#words; word++) {
      let slot = (this.#keys[word * 2]! ^ (this.#keys[word * 2 + 1]! >>> 7)) & mask;
      while (slots[slot] !== 0) slot = (slot + 1) & mask;
      slots[slot] = word + 1;
    }
    this.#slots = slots;
  }
}

function grown(array: Uint32Array<ArrayBuffer>): Uint32Array<ArrayBuffer> {
  const larger = new Uint32Array(array.length * 2);
  larger.set(array);
  return larger;
}

/** Letters, digits, `_` and `$`. */
const IS_WORD = Uint8Array.from({ length: 128 }, (_, code) => (/[\w$]/.test(String.fromCharCode(code)) ? 1 : 0));

export function isWordChar(code: number): boolean {
  return code < 128 ? IS_WORD[code] === 1 : isWideWordChar(code);
}

/** Beyond ASCII everything but the punctuation and arrows that prose uses. */
function isWideWordChar(code: number): boolean {
  if (code < 0xaa || code === 0xb7 || code === 0xd7) return false;
  if (code < 0x2000) return true;
  if (code <= 0x206f || (code >= 0x2190 && code <= 0x27bf)) return false;
  if (code >= 0x3000 && code <= 0x3020) return code >= 0x3005 && code <= 0x3007;
  if (code >= 0xff00) return !(code <= 0xff0f || (code >= 0xff1a && code <= 0xff1f) || code >= 0xfffd);
  return code !== 0xfeff;
}
