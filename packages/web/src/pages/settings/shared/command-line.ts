/** A program and its arguments as a person writes them, or that a quote is not closed. */
export type CommandLine = { type: 'read'; words: string[] } | { type: 'open-quote' };

/**
 * Reads a command as a terminal would: spaces part, quotes and backslashes keep together. Nothing is expanded, because no
 * shell runs it.
 */
export function readCommandLine(text: string): CommandLine {
  const words: string[] = [];
  let word: string | undefined;
  let quote: string | undefined;
  for (let at = 0; at < text.length; at += 1) {
    const char = text[at]!;
    const next = text[at + 1];
    const isEscape =
      char === '\\' && next !== undefined && (quote === undefined || (quote === '"' && /["\\]/.test(next)));
    if (isEscape) {
      word = (word ?? '') + next;
      at += 1;
    } else if (char === quote) quote = undefined;
    else if (quote === undefined && (char === '"' || char === "'")) {
      quote = char;
      word ??= '';
    } else if (quote === undefined && /\s/.test(char)) {
      if (word !== undefined) words.push(word);
      word = undefined;
    } else word = (word ?? '') + char;
  }
  if (quote !== undefined) return { type: 'open-quote' };
  return { type: 'read', words: word === undefined ? words : [...words, word] };
}

/** The same in the other direction. */
export function writeCommandLine(words: readonly string[]): string {
  return words
    .map((word) => (/^[^\s"'\\]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`))
    .join(' ');
}
