const LOWER = 1;
const UPPER = 2;
const DIGIT = 3;

/** What a byte is; everything that is not ASCII letters or digits is 0. */
const KIND = new Uint8Array(256);
for (let byte = 97; byte <= 122; byte++) KIND[byte] = LOWER;
for (let byte = 65; byte <= 90; byte++) KIND[byte] = UPPER;
for (let byte = 48; byte <= 57; byte++) KIND[byte] = DIGIT;

/** The longest word in bytes; longer ones are no words. */
const MAX_BYTES = 32;
const SMALL_S = 115;

/** Takes a word: the first `length` bytes, in lower case. They are overwritten by the next word. */
export type WordSink = (bytes: Uint8Array, length: number) => void;

/**
 * Cuts text into the words that the vectors know, byte by byte; training and use read through this one function, so they
 * cannot disagree.
 *
 * Letters run up to the next hump of an identifier; digits stay with the letters before them (`sha256`); of bare numbers only
 * those of three digits are words (`404`). Chinese has no spaces: each character is a word, and so is each pair of neighbours.
 * Everything else separates.
 */
export function scanWords(text: Uint8Array, start: number, end: number, sink: WordSink): void {
  const word = new Uint8Array(MAX_BYTES);
  let at = start;
  while (at < end) {
    const kind = KIND[text[at]!]!;
    if (kind === 0) {
      const next = hanEnd(text, at, end);
      if (next > at) at = scanHan(text, at, end, word, sink);
      else at++;
      continue;
    }
    let from = at;
    if (kind === DIGIT) {
      while (at < end && KIND[text[at]!] === DIGIT) at++;
      if (at - from === 3) emit(text, from, at, word, sink);
      continue;
    }
    if (kind === UPPER) {
      at++;
      while (at < end && KIND[text[at]!] === UPPER) at++;
      // `HTTPServer` is two words; `URLs` is one.
      if (at - from > 1 && at < end && KIND[text[at]!] === LOWER && !isPlural(text, at, end)) {
        if (at - 1 - from >= 2) emit(text, from, at - 1, word, sink);
        from = at - 1;
      }
    }
    while (at < end && KIND[text[at]!] === LOWER) at++;
    while (at < end && KIND[text[at]!] === DIGIT) at++;
    if (at - from >= 2) emit(text, from, at, word, sink);
  }
}

function isPlural(text: Uint8Array, at: number, end: number): boolean {
  return text[at] === SMALL_S && !(at + 1 < end && KIND[text[at + 1]!] === LOWER);
}

function emit(text: Uint8Array, from: number, to: number, word: Uint8Array, sink: WordSink): void {
  const length = to - from;
  if (length > MAX_BYTES) return;
  for (let index = 0; index < length; index++) {
    const byte = text[from + index]!;
    word[index] = KIND[byte] === UPPER ? byte + 32 : byte;
  }
  sink(word, length);
}

/** A run of Chinese characters: each one, and each with the one before it. */
function scanHan(text: Uint8Array, start: number, end: number, word: Uint8Array, sink: WordSink): number {
  let at = start;
  for (let next = hanEnd(text, at, end); next > at; at = next, next = hanEnd(text, at, end)) {
    word.set(text.subarray(at, next));
    sink(word, 3);
    if (at === start) continue;
    word.set(text.subarray(at - 3, next));
    sink(word, 6);
  }
  return at;
}

/** Where a Chinese character (U+3400 to U+9FFF) that begins here ends; `at` where none does. */
function hanEnd(text: Uint8Array, at: number, end: number): number {
  const first = text[at]!;
  if (first < 0xe3 || first > 0xe9 || at + 3 > end) return at;
  if (first === 0xe3 && text[at + 1]! < 0x90) return at;
  return at + 3;
}
