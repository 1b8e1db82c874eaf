/** A word of a text: what the index knows it by, and where it stands. */
export interface Word {
  key: string;
  start: number;
  end: number;
  /** A character of a script that is written without spaces: a word by itself, found next to its neighbours. */
  isSingle: boolean;
}

/** Longer words are known by their beginning. */
const MAX_WORD_CHARS = 60;

const SCRIPTS = ['Han', 'Hiragana', 'Katakana', 'Hangul', 'Thai', 'Lao', 'Khmer', 'Myanmar'];
const SINGLE = `[${SCRIPTS.map((script) => String.raw`\p{Script=${script}}`).join('')}]`;
const WORD = new RegExp(String.raw`(${SINGLE})\p{M}*|(?:(?!${SINGLE})[\p{L}\p{N}\p{M}])+`, 'gu');

/**
 * The words of a text, in their order.
 *
 * Chinese and its like have no spaces between words, so each character is one, and a run of them is found as a phrase.
 * Everything is brought to small ASCII letters and digits, because the two databases have ideas of their own about any
 * other character, and each with every locale.
 */
export function* splitWords(text: string): Generator<Word> {
  for (const match of text.matchAll(WORD)) {
    const [found] = match;
    const key = wordKey(found);
    if (key !== '')
      yield { key, start: match.index, end: match.index + found.length, isSingle: match[1] !== undefined };
  }
}

/** The words of a text as the index keeps them. */
export function indexedWords(text: string): string {
  const keys: string[] = [];
  for (const { key } of splitWords(text)) keys.push(key);
  return keys.join(' ');
}

/** Accents and size make no difference. It begins with a letter, so that no database takes it for a number. */
function wordKey(word: string): string {
  if (/^[a-z0-9]+$/.test(word)) return `w${word.slice(0, MAX_WORD_CHARS)}`;
  const plain = word
    .slice(0, MAX_WORD_CHARS * 2)
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase();
  let key = '';
  let chars = 0;
  for (const char of plain) {
    key += /[a-z0-9]/.test(char) ? char : `z${char.codePointAt(0)!.toString(16)}z`;
    if (++chars === MAX_WORD_CHARS) break;
  }
  return key === '' ? '' : `w${key}`;
}
