import { changedWords, type Span } from './changed-words.ts';
import type { DiffHunk, DiffLine } from './parse-unified.ts';

/** A line with the words that changed in it. */
export interface DiffCell extends DiffLine {
  changed?: readonly Span[];
}

/** What stands in a row: a line in one file or in both, or lines that are folded away. */
export type DiffRow =
  | { type: 'line'; old?: DiffCell; new?: DiffCell }
  | { type: 'folded'; from: number; lines: readonly DiffLine[] };

/** So many lines around a change are shown; more than `FOLDED` others are folded. */
const AROUND = 4;
const FOLDED = 8;

/**
 * The lines of a hunk in rows. A row with a line on either side is one line that stayed or changed; `inlineRows` puts these
 * under one another.
 */
export function splitRows({ lines }: DiffHunk, isUnfolded: (from: number) => boolean): DiffRow[] {
  const rows: DiffRow[] = [];
  for (let at = 0; at < lines.length;) {
    const run = runFrom(lines, at);
    if (lines[at]!.kind === 'context') {
      const isFirst = at === 0;
      const isLast = at + run === lines.length;
      const [head, tail] = [isFirst ? 0 : AROUND, isLast ? 0 : AROUND];
      const hidden = run - head - tail;
      const isFolded = hidden > FOLDED && !(isFirst && isLast) && !isUnfolded(at);
      for (let index = 0; index < run; index += 1) {
        if (isFolded && index === head) {
          rows.push({ type: 'folded', from: at, lines: lines.slice(at + head, at + head + hidden) });
          index += hidden - 1;
        } else rows.push({ type: 'line', old: lines[at + index]!, new: lines[at + index]! });
      }
      at += run;
      continue;
    }
    const removed = lines.slice(at, at + run).filter(({ kind }) => kind === 'removed');
    const added = lines.slice(at, at + run).filter(({ kind }) => kind === 'added');
    for (let index = 0; index < Math.max(removed.length, added.length); index += 1)
      rows.push(pair(removed[index], added[index]));
    at += run;
  }
  return rows;
}

/** The same rows with every line in a row of its own: of a change first what was, then what is. */
export function inlineRows(rows: readonly DiffRow[]): DiffRow[] {
  const inline: DiffRow[] = [];
  let added: DiffRow[] = [];
  const flush = () => {
    inline.push(...added);
    added = [];
  };
  for (const row of rows) {
    if (row.type === 'folded' || row.old === undefined || row.old.kind === 'context') {
      if (row.type === 'line' && row.old === undefined) {
        added.push(row);
        continue;
      }
      flush();
      inline.push(row);
    } else {
      inline.push({ type: 'line', old: row.old });
      if (row.new !== undefined) added.push({ type: 'line', new: row.new });
    }
  }
  flush();
  return inline;
}

function runFrom(lines: readonly DiffLine[], at: number): number {
  const isContext = lines[at]!.kind === 'context';
  let end = at;
  while (end < lines.length && (lines[end]!.kind === 'context') === isContext) {
    // What is removed behind what was added is another change.
    if (!isContext && end > at && lines[end]!.kind === 'removed' && lines[end - 1]!.kind === 'added') break;
    end += 1;
  }
  return end - at;
}

function pair(old: DiffLine | undefined, fresh: DiffLine | undefined): DiffRow {
  if (old === undefined || fresh === undefined)
    return { type: 'line', ...(old && { old }), ...(fresh && { new: fresh }) };
  const changed = changedWords(old.text, fresh.text);
  if (changed === undefined) return { type: 'line', old, new: fresh };
  return { type: 'line', old: { ...old, changed: changed.before }, new: { ...fresh, changed: changed.after } };
}
