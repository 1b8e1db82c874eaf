/** So many lines are shown at once, with the wanted ones among them. */
const MOST_LINES = 2000;
const BEFORE = 500;

/** The part of a file that a preview shows. */
export interface PreviewLines {
  text: string;
  /** The number of its first line. */
  startLine: number;
  /** The number of its last line. */
  endLine: number;
  isWhole: boolean;
}

/** The lines around a place; the whole file where it is short enough. */
export function previewLines(text: string, wanted: number): PreviewLines {
  const lines = text.split('\n');
  if (lines.at(-1) === '') lines.pop();
  if (lines.length <= MOST_LINES)
    return { text: lines.join('\n'), startLine: 1, endLine: Math.max(1, lines.length), isWhole: true };
  const first = Math.max(0, Math.min(wanted - 1 - BEFORE, lines.length - MOST_LINES));
  const shown = lines.slice(first, first + MOST_LINES);
  return { text: shown.join('\n'), startLine: first + 1, endLine: first + shown.length, isWhole: false };
}
