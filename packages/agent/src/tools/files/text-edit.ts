/** A piece of a text, from one index to another, and what comes in its place. */
export interface TextEdit {
  start: number;
  end: number;
  text: string;
}

/** Where the text that is looked for stands, and what has to change there, which may be less than all of it. */
export interface TextMatch {
  at: number;
  to: number;
  edit: TextEdit;
}

/** Finds every place that the old text could be, under one tolerance, with the new text fitted to each. */
export type Matcher = (content: string, oldString: string, newString: string) => TextMatch[];

/** The text with all edits made. They are in order and do not overlap. */
export function applyEdits(content: string, edits: readonly TextEdit[]): string {
  let result = '';
  let from = 0;
  for (const { start, end, text } of edits) {
    result += content.slice(from, start) + text;
    from = end;
  }
  return result + content.slice(from);
}

/** Every place where a piece stands in a text, also those that overlap: each could be the one that is meant. */
export function startsOf(text: string, piece: string): number[] {
  const starts: number[] = [];
  for (let at = text.indexOf(piece); at !== -1; at = text.indexOf(piece, at + 1)) starts.push(at);
  return starts;
}

/** How many characters two texts share at their beginning and, beyond that, at their end. */
export function commonEnds(a: string, b: string): { before: number; after: number } {
  const most = Math.min(a.length, b.length);
  let before = 0;
  while (before < most && a[before] === b[before]) before++;
  let after = 0;
  while (after < most - before && a[a.length - 1 - after] === b[b.length - 1 - after]) after++;
  return { before, after };
}
