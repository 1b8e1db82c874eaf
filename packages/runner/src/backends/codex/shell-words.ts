/**
 * The words that a shell would read in a command line without substitutions, as Codex joins them for display. Nothing
 * where quotes do not close.
 */
export function shellWords(line: string): string[] | undefined {
  const words: string[] = [];
  let word: string | undefined;
  let quote = '';
  for (let at = 0; at < line.length; at++) {
    const char = line[at]!;
    if (quote === "'") {
      if (char === quote) quote = '';
      else word += char;
    } else if (char === '\\') {
      const next = line[++at];
      if (next === undefined) return undefined;
      // Inside double quotes a backslash means itself unless it stands before one of these.
      word = (word ?? '') + (quote === '"' && !/["\\$`\n]/.test(next) ? `\\${next}` : next);
    } else if (quote === '"') {
      if (char === quote) quote = '';
      else word += char;
    } else if (char === "'" || char === '"') {
      quote = char;
      word ??= '';
    } else if (/\s/.test(char)) {
      if (word !== undefined) words.push(word);
      word = undefined;
    } else word = (word ?? '') + char;
  }
  if (quote !== '') return undefined;
  return word === undefined ? words : [...words, word];
}
