import type { CodePiece } from '../code/highlighter.ts';
import { CODE_COLOURS } from '../code/code-kinds.ts';
import type { Span } from './changed-words.ts';
import type { DiffCell } from './diff-rows.ts';
import { diffWords } from './diff-words.ts';

/** On such a ground only ink is read well, so these words have no other colour. */
const CHANGED = {
  added: 'rounded-xs bg-good/25 font-medium text-ink',
  removed: 'rounded-xs bg-bad/25 font-medium text-ink',
  context: '',
};

/** Nobody reads on in a line of this length. */
const MAX_CHARS = 4000;

/** The text of a line, in colour, with the words that changed. */
export function DiffText({ cell, pieces }: { cell: DiffCell; pieces: readonly CodePiece[] | undefined }) {
  const words = diffWords.use();
  const isCut = cell.text.length > MAX_CHARS;
  const parts = isCut
    ? [{ text: `${cell.text.slice(0, MAX_CHARS)} …`.toWellFormed(), kind: undefined, isChanged: false }]
    : markChanged(pieces ?? [{ text: cell.text }], cell.changed ?? []);
  return (
    <>
      {parts.map(({ text, kind, isChanged }, index) => {
        const className = isChanged ? CHANGED[cell.kind] : kind === undefined ? '' : CODE_COLOURS[kind];
        return className === '' ? (
          text
        ) : (
          <span key={index} className={className}>
            {text}
          </span>
        );
      })}
      {cell.isUnended === true && <span className="ml-2 text-2xs text-faint italic">{words.unended}</span>}
    </>
  );
}

/** Pieces, cut where what changed begins and ends. */
function markChanged(pieces: readonly CodePiece[], changed: readonly Span[]): (CodePiece & { isChanged: boolean })[] {
  const cuts = changed.flat();
  const marked: (CodePiece & { isChanged: boolean })[] = [];
  let at = 0;
  for (const { text, kind } of pieces) {
    const end = at + text.length;
    const inside = cuts.filter((cut) => cut > at && cut < end);
    for (const to of [...inside, end]) {
      const isChanged = changed.some(([from, until]) => at >= from && at < until);
      marked.push({ text: text.slice(text.length - (end - at), text.length - (end - to)), kind, isChanged });
      at = to;
    }
  }
  return marked;
}
