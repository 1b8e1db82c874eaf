import { matchLineEndings } from './match-line-endings.ts';
import type { TextMatch } from './text-edit.ts';

const MEANINGS: Readonly<Record<string, string>> = {
  n: '\n',
  t: '\t',
  r: '\r',
  '"': '"',
  "'": "'",
  '`': '`',
  '\\': '\\',
};
const ESCAPE = /\\([ntr"'`\\])/g;

/**
 * The text with one escape too many: `\n` for a line end, `\"` for a quote.
 *
 * That the old text is found shows which escapes were meant so. The new text must not have others: whether a `\n` in it is a
 * line end or two characters of the code could only be guessed.
 */
export function matchEscaped(content: string, oldString: string, newString: string): TextMatch[] {
  const proven = escapesIn(oldString);
  if (proven.size === 0) return [];
  for (const escape of escapesIn(newString)) if (!proven.has(escape)) return [];
  return matchLineEndings(content, unescape(oldString), unescape(newString));
}

function escapesIn(text: string): Set<string> {
  return new Set(Array.from(text.matchAll(ESCAPE), (match) => match[1] ?? ''));
}

function unescape(text: string): string {
  return text.replace(ESCAPE, (escape, character: string) => MEANINGS[character] ?? escape);
}
