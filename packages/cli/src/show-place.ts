import type { CodePlace } from '@dragoman/protocol';
import { cleanLine, cleanPath, cleanText } from './terminal/clean-text.ts';

const SHOWN_LINES = 12;
/** Shown above the lines that were looked for. */
const LINES_BEFORE = 2;

/**
 * `src/retry.ts:12-30  retryWithBackoff`, and below it the lines of the place that have most to do with the question:
 * a long one begins with what its file imports. Of a name that was asked for, the definition's head is what is wanted.
 * Nothing in the file or its name reaches the terminal as a command.
 */
export function showPlace(
  { path, start, end, symbol, text }: CodePlace,
  { query, isSymbol }: { query: string; isSymbol: boolean },
  isTerminal: boolean,
): string {
  const head = `${cleanPath(path)}:${start}-${end}${symbol === undefined ? '' : `  ${cleanLine(symbol)}`}`;
  const lines = cleanText(text).replace(/\n$/, '').split('\n');
  const isFromTop = isSymbol || lines.length <= SHOWN_LINES;
  const from = isFromTop ? 0 : firstShown(lines, [...wordsOf(query), ...wordsOf(symbol ?? '')]);
  const width = String(end).length;
  const shown = lines
    .slice(from, from + SHOWN_LINES)
    .map((line, index) => `${String(start + from + index).padStart(width + 2)}  ${line}`.trimEnd());
  const more = end - start + 1 - shown.length;
  if (more > 0) shown.push(`${' '.repeat(width + 4)}… ${more} more ${more === 1 ? 'line' : 'lines'}`);
  return `${isTerminal ? `\u001B[1m${head}\u001B[0m` : head}\n${shown.join('\n')}\n`;
}

/** Where the window begins that holds most of the words; of equal ones the last, which has them at its top. */
function firstShown(lines: readonly string[], words: readonly string[]): number {
  const found = lines.map((line) => {
    const small = line.toLowerCase();
    return new Set(words.filter((word) => small.includes(word)));
  });
  const height = SHOWN_LINES - LINES_BEFORE;
  let best = { at: 0, words: 0 };
  for (let at = 0; at <= lines.length - height; at++) {
    const inside = new Set<string>();
    for (let line = at; line < at + height; line++) for (const word of found[line]!) inside.add(word);
    if (inside.size > 0 && inside.size >= best.words) best = { at, words: inside.size };
  }
  return Math.min(Math.max(0, best.at - LINES_BEFORE), lines.length - SHOWN_LINES);
}

/** Without endings, so that `retries` is seen in `retryWithBackoff`. */
function wordsOf(text: string): string[] {
  const words = text.toLowerCase().match(/[\p{L}\p{N}_$]{4,}/gu) ?? [];
  return words.map((word) => word.slice(0, Math.max(4, word.length - 3)));
}
