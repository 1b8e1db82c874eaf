import { sourceLines } from './source-lines.ts';

const LINE_END = 10;
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });

/** Some lines of a text. */
export interface LinesAround {
  /** The number of the first of them, from 1 on. */
  first: number;
  lines: string[];
  /** How many lines the text has, as far as it was read. */
  count: number;
}

/**
 * The lines from..to of a text in UTF-8, as far as it has them; of one that ends before, nothing. A file can have tens of
 * thousands of lines, of which a question wants a few: only those are made strings, and what comes after is not read.
 */
export function linesAround(text: Uint8Array, from: number, to: number): LinesAround {
  const first = Math.max(1, from);
  let line = 1;
  let start = 0;
  let at = 0;
  for (; at < text.length && line <= to; at++) {
    if (text[at] !== LINE_END) continue;
    line++;
    if (line === first) start = at + 1;
  }
  // The end of the last line begins no other.
  const isCut = line > to;
  const count = isCut ? to : line > 1 && text[text.length - 1] === LINE_END ? line - 1 : line;
  if (count < first) return { first, lines: [], count };
  const found = decoder.decode(text.subarray(start, isCut ? at - 1 : at));
  return { first, lines: sourceLines(found, isCut ? to - first + 1 : Infinity), count };
}
