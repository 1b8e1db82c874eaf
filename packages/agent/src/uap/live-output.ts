/** Longer output is not shown as it comes: the whole of it is there when the call has ended. */
const MOST_CHARS = 100_000;
const CUT = '\n[The rest is shown when it finishes.]';

/**
 * What a running call shows, as pieces that only add.
 *
 * A call shows a window on its output that grows, then moves on; a line that is written over, such as a progress bar,
 * changes in place. What is added is the difference, and a line that was written over comes again below.
 */
export class LiveOutput {
  #window = '';
  #sent = 0;

  /** The next window in, what it adds out; empty when there is nothing new. */
  push(window: string): string {
    const before = this.#window;
    this.#window = window;
    if (this.#sent > MOST_CHARS || window === before) return '';
    const delta = added(before, window);
    this.#sent += delta.length;
    return this.#sent > MOST_CHARS ? CUT : delta;
  }
}

/** A window that moved on has more in common with the one before than chance would have. */
const LEAST_OVERLAP = 64;

function added(before: string, after: string): string {
  if (after.startsWith(before)) return after.slice(before.length);
  const lastLine = before.lastIndexOf('\n') + 1;
  if (lastLine > 0 && after.startsWith(before.slice(0, lastLine))) return `\n${after.slice(lastLine)}`;
  const overlap = overlapOf(before, after);
  if (overlap >= LEAST_OVERLAP) return after.slice(overlap);
  return lastLine === 0 ? `\n${after}` : `\n…\n${after}`;
}

/** How much of the end of one text is the beginning of the other, by the failure function of Knuth, Morris and Pratt. */
function overlapOf(before: string, after: string): number {
  const fallback = new Uint32Array(after.length);
  for (let at = 1, matched = 0; at < after.length; at++) {
    while (matched > 0 && after[at] !== after[matched]) matched = fallback[matched - 1]!;
    if (after[at] === after[matched]) matched++;
    fallback[at] = matched;
  }
  let matched = 0;
  for (const character of before.slice(-after.length).split('')) {
    while (matched > 0 && (matched === after.length || character !== after[matched])) matched = fallback[matched - 1]!;
    if (character === after[matched]) matched++;
  }
  return matched;
}
