const OPENING = '[{(';
const CLOSING = ']})';

/**
 * A Mermaid graph with one statement on a line. Statements may also end with a semicolon, on one line with the next; one in a
 * label or in quotes is text.
 */
export function statementLines(text: string): string {
  if (!/^\s*(?:graph|flowchart)\b/.test(text)) return text;
  let lines = '';
  let depth = 0;
  let isQuoted = false;
  for (const char of text) {
    if (char === '"') isQuoted = !isQuoted;
    else if (char === '\n') [depth, isQuoted] = [0, false];
    else if (!isQuoted && OPENING.includes(char)) depth++;
    else if (!isQuoted && CLOSING.includes(char)) depth = Math.max(0, depth - 1);
    lines += char === ';' && depth === 0 && !isQuoted ? '\n' : char;
  }
  return lines;
}
