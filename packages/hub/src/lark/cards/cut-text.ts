import { costOf, headWithin } from './card-limits.ts';

/** How full a card is where a text is cut: between paragraphs, else between lines, else wherever it is. */
export const FULL_AT = { paragraph: 19_000, line: 21_000, character: 23_000 } as const;

/** What goes into a card, and what is left for the next. */
export interface CutText {
  piece: string;
  cost: number;
  rest: string;
}

/**
 * Takes as much of a Markdown text as a card that is `used` so far still takes.
 *
 * A text is cut at the first place that will do once the card is full enough, never before something that the card has
 * shown: so what stands in a card stays there while the text grows. For that a paragraph that may still grow counts as
 * what it could come to at the most, and one that is over as what it is (`drawnCost`). Code and tables are begun anew in
 * the rest.
 */
export function cutText(text: string, used: number, drawnCost: (paragraph: string) => number): CutText {
  const state: Around = { fence: undefined, table: undefined, before: '' };
  // What is before the paragraph, where that begins, and what it may come to so far.
  let [cost, start, most, at] = [0, 0, 0, 0];
  while (at < text.length) {
    const newline = text.indexOf('\n', at);
    const end = newline === -1 ? text.length : newline + 1;
    const line = text.slice(at, end);
    const isCode = state.fence !== undefined;
    const lineCost = costOf(line, { isCode });
    const room = FULL_AT.character - used - cost - most;
    if (lineCost > room) {
      const part = headWithin(line, room, { isCode });
      // Something is always taken, or it would never end.
      const length = part === '' && at === 0 ? String.fromCodePoint(line.codePointAt(0)!).length : part.length;
      return cutOff(text, at + length, cost + most + room, state);
    }
    note(state, line);
    [most, at] = [most + lineCost, end];
    if (newline === -1) break;
    if (state.fence === undefined && line.trim() === '') {
      [cost, start, most] = [cost + drawnCost(text.slice(start, at)), at, 0];
      if (used + cost >= FULL_AT.paragraph) return cutOff(text, at, cost, state);
    } else if (used + cost + most >= FULL_AT.line) return cutOff(text, at, cost + most, state);
  }
  return { piece: text, cost: cost + drawnCost(text.slice(start)), rest: '' };
}

/** What a place in a text is inside of. */
interface Around {
  fence: { marker: string; info: string } | undefined;
  /** The first two lines of the table. */
  table: string | undefined;
  before: string;
}

function note(state: Around, line: string): void {
  const [, marker, info = ''] = /^[ \t>]*(?:[-*+][ \t]+|\d{1,9}[.)][ \t]+)?(`{3,}|~{3,})([^\n]*)/.exec(line) ?? [];
  if (state.fence !== undefined) {
    if (marker?.startsWith(state.fence.marker) === true && info.trim() === '') state.fence = undefined;
  } else if (marker !== undefined && !(marker.startsWith('`') && info.includes('`')))
    state.fence = { marker, info: info.trim().slice(0, 40) };
  if (state.fence !== undefined || line.trim() === '') state.table = undefined;
  else if (
    state.before.includes('|') &&
    /^[ \t]*(?:\|[ \t]*)?:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*(?:\|\s*|[\r\n]*)$/.test(line)
  )
    state.table = line.includes('|') ? `${state.before}${line}` : undefined;
  state.before = line;
}

/** More than this is not said again in every card. */
const MOST_REPEATED = 1500;

function cutOff(text: string, at: number, cost: number, { fence, table }: Around): CutText {
  const rest = text.slice(at);
  if (rest.trim() === '') return { piece: text, cost, rest: '' };
  const piece = text.slice(0, at);
  if (fence !== undefined) return { piece, cost, rest: `${fence.marker}${fence.info}\n${rest}` };
  const isTable = table !== undefined && table.length <= MOST_REPEATED && costOf(table) <= MOST_REPEATED * 2;
  return { piece, cost, rest: isTable ? `${table}${rest}` : rest.replace(/^\s*\n/, '') };
}
