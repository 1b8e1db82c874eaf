import { useMemo, useState } from 'react';
import { languageOf } from '../code/grammars.ts';
import { useColours } from '../code/use-colours.ts';
import { useFormats } from '../words/formats.ts';
import { InlineLine, type LineColours, type LineExtras, SplitLine } from './diff-lines.tsx';
import { inlineRows, splitRows } from './diff-rows.ts';
import { diffWords } from './diff-words.ts';
import type { DiffHunk } from './parse-unified.ts';

interface HunkProps extends LineExtras {
  hunk: DiffHunk;
  path: string;
  isSplit: boolean;
}

/** One place in a file that changed. */
export function Hunk({ hunk, path, isSplit, ...extras }: HunkProps) {
  const words = diffWords.use();
  const formats = useFormats();
  const [unfolded, setUnfolded] = useState<ReadonlySet<number>>(new Set());
  const rows = useMemo(() => {
    const split = splitRows(hunk, (from) => unfolded.has(from));
    return isSplit ? split : inlineRows(split);
  }, [hunk, isSplit, unfolded]);
  const colours = useHunkColours(hunk, path);
  const columns = isSplit ? 6 : 4;
  const Line = isSplit ? SplitLine : InlineLine;
  return (
    <tbody>
      {rows.map((row, index) =>
        row.type === 'folded' ? (
          <tr key={`folded-${row.from}`}>
            <td colSpan={columns} className="border-y border-line bg-raised p-0">
              <button
                type="button"
                onClick={() => setUnfolded(new Set([...unfolded, row.from]))}
                className="w-full px-3 py-1 text-left font-sans text-2xs text-soft hover:bg-hover hover:text-ink"
              >
                {words.unchanged(formats.count(row.lines.length))}
              </button>
            </td>
          </tr>
        ) : (
          <Line key={index} old={row.old} fresh={row.new} colours={colours} {...extras} />
        ),
      )}
    </tbody>
  );
}

/** Code of either side is read as a whole, because a line does not say that it is inside of a comment. */
function useHunkColours(hunk: DiffHunk, path: string): LineColours {
  const sides = useMemo(() => {
    const lines = (out: 'added' | 'removed') => hunk.lines.filter(({ kind }) => kind !== out).map(({ text }) => text);
    const [old, fresh] = [lines('added'), lines('removed')];
    const first = (field: 'oldNumber' | 'newNumber') =>
      hunk.lines.find((line) => line[field] !== undefined)?.[field] ?? 0;
    return {
      old: { lines: old, text: old.join('\n'), first: first('oldNumber') },
      fresh: { lines: fresh, text: fresh.join('\n'), first: first('newNumber') },
    };
  }, [hunk]);
  const language = hunk.isNumbered ? languageOf(path) : undefined;
  const before = useColours(sides.old.text, sides.old.lines, language);
  const after = useColours(sides.fresh.text, sides.fresh.lines, language);
  return (cell, side) => {
    const number = side === 'old' ? cell.oldNumber : cell.newNumber;
    if (number === undefined) return undefined;
    return side === 'old' ? before(number - sides.old.first) : after(number - sides.fresh.first);
  };
}
