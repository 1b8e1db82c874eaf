/** A text as if all its lines ended with a line feed, and the way back to the text itself. */
export interface LfView {
  text: string;
  /** Where the character at this place of the view begins in the text itself. */
  toRaw(index: number): number;
}

/** Looks at a text with CRLF line ends the way models write, without changing it. */
export function lfView(raw: string): LfView {
  if (!raw.includes('\r\n')) return { text: raw, toRaw: (index) => index };
  // Where line feeds stand in the view that are two characters in the text.
  const pairs: number[] = [];
  for (let at = raw.indexOf('\r\n'); at !== -1; at = raw.indexOf('\r\n', at + 2)) pairs.push(at - pairs.length);
  return { text: raw.replaceAll('\r\n', '\n'), toRaw: (index) => index + countBelow(pairs, index) };
}

/** Whether every line of the text ends with CRLF, and there is one. */
export function isCrlf(text: string): boolean {
  return text.includes('\r\n') && !/(?<!\r)\n/.test(text);
}

/** The text with every line ended one way. */
export function withLineEnds(text: string, end: '\n' | '\r\n'): string {
  return text.replace(/\r?\n/g, end);
}

function countBelow(sorted: readonly number[], limit: number): number {
  let low = 0;
  let high = sorted.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((sorted[middle] ?? 0) < limit) low = middle + 1;
    else high = middle;
  }
  return low;
}
