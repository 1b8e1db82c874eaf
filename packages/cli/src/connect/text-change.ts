/** One change of a text: what was put where, and what stood around it. */
export interface TextChange {
  at: number;
  removed: string;
  inserted: string;
  before: string;
  after: string;
}

/** So much of the surroundings tells one place from another. */
const CONTEXT = 60;

/** What has to be done to one text to make it another, as one change. */
export function changeOf(from: string, to: string): TextChange {
  let start = 0;
  while (start < Math.min(from.length, to.length) && from[start] === to[start]) start++;
  let end = 0;
  while (end < Math.min(from.length, to.length) - start && from.at(-1 - end) === to.at(-1 - end)) end++;
  const toEnd = to.length - end;
  return {
    at: start,
    removed: from.slice(start, from.length - end),
    inserted: to.slice(start, toEnd),
    before: to.slice(Math.max(0, start - CONTEXT), start),
    after: to.slice(toEnd, toEnd + CONTEXT),
  };
}

/**
 * Takes a change back, in a text that may have been changed elsewhere since. Nothing where what was put in is not there any
 * more, or could be in several places.
 */
export function undoChange(text: string, change: TextChange): string | undefined {
  const { at, removed, inserted, before, after } = change;
  const put = (from: number) => text.slice(0, from) + removed + text.slice(from + inserted.length);
  if (text.slice(Math.max(0, at - before.length), at + inserted.length + after.length) === before + inserted + after)
    return put(at);
  for (const [left, right] of [
    [before, after],
    [before, ''],
    ['', after],
    ['', ''],
  ] as const) {
    const wanted = left + inserted + right;
    const found = wanted.length < LEAST ? -1 : text.indexOf(wanted);
    if (found === -1) continue;
    return text.includes(wanted, found + 1) ? undefined : put(found + left.length);
  }
  return undefined;
}

/** Less than this could be anything. */
const LEAST = 12;
