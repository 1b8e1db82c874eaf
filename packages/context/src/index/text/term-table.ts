import { termHash } from './term-hash.ts';
import { wordTerms } from './word-terms.ts';

/** After so many different words the table begins anew; it is a cache, and nothing else refers to its numbers. */
const MOST_WORDS = 1_500_000;

/**
 * Reads words out of text and says which terms they have, as small numbers.
 *
 * Source repeats itself: nearly every word was seen before. A word is recognised by a hash made while its letters are
 * passed over, so that only a new one costs a string.
 */
export class TermTable {
  /** Hash of each term, by its number. */
  readonly hashes: number[] = [];
  #numbers = new Map<string, number>();
  #slots = new Int32Array(1 << 16);
  #keys = new Uint32Array(1 << 17);
  #starts: number[] = [0];
  #terms: number[] = [];

  get size(): number {
    return this.hashes.length;
  }

  get isFull(): boolean {
    return this.#starts.length > MOST_WORDS;
  }

  /** The number of one term. */
  number(term: string): number {
    const known = this.#numbers.get(term);
    if (known !== undefined) return known;
    const number = this.hashes.length;
    this.#numbers.set(term, number);
    this.hashes.push(termHash(term));
    return number;
  }

  /** Calls `each` with the number of every term between two positions of a text, in order. */
  read(text: string, from: number, to: number, each: (term: number) => void): void {
    let at = from;
    while (at < to) {
      if (!isWordChar(text.charCodeAt(at))) {
        at++;
        continue;
      }
      const start = at;
      let first = 0x811c9dc5;
      let second = 0x9747b28c;
      for (; at < to; at++) {
        const code = text.charCodeAt(at);
        if (!isWordChar(code)) break;
        first = Math.imul(first ^ code, 0x01000193);
        second = Math.imul(second ^ code, 0x5bd1e995);
        second ^= second >>> 15;
      }
      const word = this.#find(first >>> 0, second >>> 0, text, start, at);
      for (let term = this.#starts[word]!; term < this.#starts[word + 1]!; term++) each(this.#terms[term]!);
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
    const word = this.#starts.length - 1;
    if (word * 2 >= this.#keys.length) {
      const keys = new Uint32Array(this.#keys.length * 2);
      keys.set(this.#keys);
      this.#keys = keys;
    }
    this.#keys[word * 2] = first;
    this.#keys[word * 2 + 1] = second;
    for (const term of wordTerms(text)) this.#terms.push(this.number(term));
    this.#starts.push(this.#terms.length);
    this.#slots[slot] = word + 1;
    if (word * 2 > this.#slots.length) this.#grow();
    return word;
  }

  #grow(): void {
    const slots = new Int32Array(this.#slots.length * 4);
    const mask = slots.length - 1;
    for (let word = 0; word < this.#starts.length - 1; word++) {
      let slot = (this.#keys[word * 2]! ^ (this.#keys[word * 2 + 1]! >>> 7)) & mask;
      while (slots[slot] !== 0) slot = (slot + 1) & mask;
      slots[slot] = word + 1;
    }
    this.#slots = slots;
  }
}

/** Letters, digits, `_`, `$`; beyond ASCII everything but the punctuation that prose uses. */
export function isWordChar(code: number): boolean {
  if (code < 128)
    return (
      (code >= 97 && code <= 122) ||
      (code >= 65 && code <= 90) ||
      (code >= 48 && code <= 57) ||
      code === 95 ||
      code === 36
    );
  return (
    code >= 0xaa &&
    !(code >= 0x2000 && code <= 0x206f) &&
    !(code >= 0x3000 && code <= 0x3004) &&
    !isWidePunctuation(code)
  );
}

function isWidePunctuation(code: number): boolean {
  return (
    code === 0xd7 ||
    code === 0xb7 ||
    (code >= 0x2190 && code <= 0x27bf) ||
    (code >= 0x3008 && code <= 0x3020) ||
    (code >= 0xff01 && code <= 0xff0f) ||
    (code >= 0xff1a && code <= 0xff1f) ||
    code === 0xfffd ||
    code === 0xfeff
  );
}
