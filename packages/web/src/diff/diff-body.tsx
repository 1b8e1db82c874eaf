import { useEffect, useMemo, useRef, useState } from 'react';
import { Button } from '../design/button.tsx';
import { classNames } from '../design/class-names.ts';
import { useFormats } from '../words/formats.ts';
import { Hunk } from './diff-hunk.tsx';
import type { LineExtras } from './diff-lines.tsx';
import { diffWords } from './diff-words.ts';
import type { DiffHunk, ParsedDiff } from './parse-unified.ts';

const MAX_LINES = 1000;

/** The lines of a change. */
export function DiffBody({
  parsed,
  path,
  mode,
  ...extras
}: { parsed: ParsedDiff; path: string; mode: 'inline' | 'split' } & LineExtras) {
  const words = diffWords.use();
  const formats = useFormats();
  const [most, setMost] = useState(MAX_LINES);
  const box = useRef<HTMLDivElement>(null);
  const shown = useMemo(() => firstLines(parsed.hunks, most), [parsed, most]);
  const isSplit = mode === 'split';
  useEffect(() => {
    const buttons = box.current?.querySelectorAll<HTMLElement>('[data-comment]');
    if (buttons?.[0] !== undefined && ![...buttons].some(({ tabIndex }) => tabIndex === 0)) buttons[0].tabIndex = 0;
  });
  const notes = [
    ...parsed.notes.slice(0, 20).map((note) => note.slice(0, 300)),
    ...(parsed.isBinary ? [words.binary] : []),
  ];
  if (parsed.hunks.length === 0)
    return <p className="contained p-3 text-xs text-soft">{notes.length > 0 ? notes.join(' · ') : words.nothing}</p>;
  return (
    <div ref={box} className="overflow-x-auto">
      {notes.length > 0 && (
        <p className="contained border-b border-line px-3 py-1 text-2xs text-faint">{notes.join(' · ')}</p>
      )}
      <table className={classNames('w-full border-collapse font-mono text-xs', isSplit && 'min-w-160')}>
        {shown.hunks.map((hunk, index) => (
          <HunkPart key={index} hunk={hunk} index={index} path={path} isSplit={isSplit} {...extras} />
        ))}
      </table>
      {shown.left > 0 && (
        <Button size="small" look="quiet" className="m-1" onClick={() => setMost(most + MAX_LINES)}>
          {words.moreLines(formats.count(Math.min(shown.left, MAX_LINES)))}
        </Button>
      )}
    </div>
  );
}

function HunkPart({ index, ...part }: { hunk: DiffHunk; index: number; path: string; isSplit: boolean } & LineExtras) {
  const { hunk, isSplit } = part;
  const [first] = hunk.lines;
  const place = hunk.isNumbered ? `@@ ${first?.newNumber ?? first?.oldNumber ?? ''}` : '@@';
  return (
    <>
      {(index > 0 || hunk.heading !== '') && (
        <tbody>
          <tr>
            <td
              colSpan={isSplit ? 6 : 4}
              className="contained truncate border-y border-line bg-raised px-3 py-0.5 text-2xs text-faint"
            >
              {`${place} ${hunk.heading.slice(0, 300)}`}
            </td>
          </tr>
        </tbody>
      )}
      <Hunk {...part} />
    </>
  );
}

/** The hunks up to so many lines, and how many lines are left. */
function firstLines(hunks: readonly DiffHunk[], most: number): { hunks: DiffHunk[]; left: number } {
  const shown: DiffHunk[] = [];
  let room = most;
  let left = 0;
  for (const hunk of hunks) {
    if (room >= hunk.lines.length) shown.push(hunk);
    else if (room > 0) shown.push({ ...hunk, lines: hunk.lines.slice(0, room) });
    left += Math.max(0, hunk.lines.length - Math.max(0, room));
    room -= hunk.lines.length;
  }
  return { hunks: shown, left };
}
