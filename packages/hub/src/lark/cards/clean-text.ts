import { readableMarks, trimEndOf, visibleMarks } from '@dragoman/protocol';

/** Colours, movements of the cursor, titles of the window: what programs tell a terminal. */
const ESCAPES =
  // oxlint-disable-next-line no-control-regex -- these are what it is about
  /\u001b(?:\[[0-?]{0,64}[ -/]{0,8}[@-~]|[\]PX^_][^\u0007\u001b]{0,4096}(?:\u0007|\u001b\\)|[ -/]{0,8}[0-~])|\u009b[0-?]{0,64}[ -/]{0,8}[@-~]/g;

/**
 * A text in which nothing is hidden. People decide by what a card says, so a mark that changes how letters read is shown;
 * and a half of a character, which no JSON of Lark takes, is replaced.
 */
export function cleanText(text: string): string {
  return visibleMarks(text).toWellFormed();
}

/** An answer to be read: what turns letters around is shown, and what else nobody sees is left out. */
export function cleanProse(text: string): string {
  return readableMarks(text).toWellFormed();
}

/** A text in which nothing is hidden, on one line of at most so many characters. */
export function cleanLine(text: string, most: number): string {
  const line = cleanText(text.slice(0, most * 4))
    .replaceAll(/\s+/g, ' ')
    .trim();
  if (line.length <= most && text.length <= most * 4) return line;
  return `${line
    .slice(0, most - 1)
    .replace(/[\ud800-\udbff]$/, '')
    .trimEnd()}…`;
}

/** What a program wrote, as a terminal would leave it there: no escapes, and of a line that was written over the last. */
export function cleanOutput(text: string): string {
  const plain = text.includes('\u001b') || text.includes('\u009b') ? text.replaceAll(ESCAPES, '') : text;
  if (!plain.includes('\r')) return cleanText(plain);
  const lines = plain.split('\n').map((line) => {
    const whole = trimEndOf(line, '\r');
    return whole.slice(whole.lastIndexOf('\r') + 1);
  });
  return cleanText(lines.join('\n'));
}
