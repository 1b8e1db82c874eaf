/** The levels of the headings that a text is in at some place, from the outermost. */
export type HeadingPath = readonly number[];

const HEADING = /^ {0,3}(#{1,6})(?:[ \t]|$)/;

/** Where a text stands after a heading: within all that are above it. */
export function enterHeading(path: HeadingPath, level: number): HeadingPath {
  return [...path.filter((above) => above < level), level];
}

/** Where a text stands after some lines of it. */
export function pathAfter(path: HeadingPath, lines: readonly string[]): HeadingPath {
  let after = path;
  for (const [index, line] of lines.entries()) {
    const marks = HEADING.exec(line)?.[1];
    const level = marks?.length ?? underlined(line, lines[index - 1]);
    if (level !== undefined) after = enterHeading(after, level);
  }
  return after;
}

/** A line of words with a line of signs below it is a heading too. */
function underlined(line: string, above: string | undefined): number | undefined {
  if (above === undefined || above.trim() === '' || /^\s{0,3}(?:[-*+>|#]|\d{1,9}[.)]\s)/.test(above)) return undefined;
  return /^ {0,3}=+\s*$/.test(line) ? 1 : /^ {0,3}-+\s*$/.test(line) ? 2 : undefined;
}
