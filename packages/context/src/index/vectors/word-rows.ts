import { scanWords } from './scan-words.ts';

const ENDINGS = ['s', 'es', 'ed', 'ing', 'er', 'ers', 'ly', 'able', 'ment', 'd', 'r', 'rs'];
const SHORTEST_STEM = 4;
const SHORTEST_PIECE = 3;
const LONGEST_PIECE = 16;
/** Words that are no rows are taken apart once, as long as they are not too many. */
const MOST_KEPT = 200_000;

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/**
 * From words to rows of the table. Training and use go through this one class.
 *
 * What is no row itself is looked for without digits, without an ending, then in pieces; what is not found even so says
 * nothing.
 */
export class WordRows {
  readonly #rows: ReadonlyMap<string, number>;
  readonly #split = new Map<string, readonly number[]>();

  constructor(words: readonly string[]) {
    this.#rows = new Map(words.map((word, row) => [word, row]));
  }

  /** The rows of one word, as `scanWords` cuts it. */
  ofWord(word: string): readonly number[] {
    const row = this.#rows.get(word);
    if (row !== undefined) return [row];
    let found = this.#split.get(word);
    if (found === undefined) {
      found = this.#takeApart(word);
      if (this.#split.size >= MOST_KEPT) this.#split.clear();
      this.#split.set(word, found);
    }
    return found;
  }

  /** The rows of all words of a text, in order. */
  ofText(text: string): number[] {
    const rows: number[] = [];
    const length = asPlainBytes(text);
    const bytes = length === undefined ? encoder.encode(text) : plain;
    scanWords(bytes, 0, length ?? bytes.length, (word, wordLength) => {
      for (const row of this.ofWord(asText(word, wordLength))) rows.push(row);
    });
    return rows;
  }

  #takeApart(word: string): readonly number[] {
    if (!/^[a-z]/.test(word)) return [];
    const letters = /^([a-z]+)\d+$/.exec(word)?.[1];
    if (letters !== undefined) return this.ofWord(letters);
    for (const ending of ENDINGS) {
      if (word.length - ending.length < SHORTEST_STEM || !word.endsWith(ending)) continue;
      const stem = word.slice(0, -ending.length);
      const row = this.#rows.get(stem) ?? this.#rows.get(`${stem}e`);
      if (row !== undefined) return [row];
    }
    return this.#inPieces(word);
  }

  /** The longest known pieces from left to right; nothing where too much is left over. */
  #inPieces(word: string): readonly number[] {
    const found: number[] = [];
    let at = 0;
    let missed = 0;
    while (at < word.length) {
      let end = Math.min(word.length, at + LONGEST_PIECE);
      let row: number | undefined;
      for (; end - at >= SHORTEST_PIECE; end--) {
        row = this.#rows.get(word.slice(at, end));
        if (row !== undefined) break;
      }
      if (row === undefined) {
        at++;
        missed++;
      } else {
        found.push(row);
        at = end;
      }
    }
    return missed > word.length / 3 ? [] : found;
  }
}

/** Room for a name: thousands of them are read for a question, and a call of the encoder costs more than all of its letters. */
const plain = new Uint8Array(128);

/** Puts a short text of plain letters there, and says how long it is; undefined for any other. */
function asPlainBytes(text: string): number | undefined {
  if (text.length > plain.length) return undefined;
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code >= 128) return undefined;
    plain[at] = code;
  }
  return text.length;
}

function asText(bytes: Uint8Array, length: number): string {
  if (bytes[0]! >= 128) return decoder.decode(bytes.subarray(0, length));
  let text = '';
  for (let at = 0; at < length; at++) text += String.fromCharCode(bytes[at]!);
  return text;
}
