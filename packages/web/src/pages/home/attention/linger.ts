import type { HomeRow } from './home-rows.ts';

/** A row on the page; one that is gone stays a moment, so that nothing moves under the pointer. */
export interface ShownRow {
  row: HomeRow;
  isGone: boolean;
}

/** What is shown after the rows changed: the new ones, and where they were those that are gone. */
export function linger(before: readonly ShownRow[], rows: readonly HomeRow[]): ShownRow[] {
  const shown: ShownRow[] = rows.map((row) => ({ row, isGone: false }));
  const isThere = new Set(rows.map(({ key }) => key));
  const isBusyAgain = new Set(rows.map(({ sessionId }) => sessionId));
  before.forEach(({ row }, index) => {
    // What ran and is quiet now was read elsewhere; a session that wants something new shows only that.
    const isKept = row.kind === 'waiting' || (row.kind !== 'running' && !isBusyAgain.has(row.sessionId));
    if (isThere.has(row.key) || !isKept) return;
    const ahead = before.slice(0, index).findLast((one) => shown.some((other) => other.row.key === one.row.key));
    const place = ahead === undefined ? 0 : shown.findIndex((other) => other.row.key === ahead.row.key) + 1;
    shown.splice(place, 0, { row, isGone: true });
  });
  return shown;
}

/** The rows that are drawn: a session whose question was just answered is told to run when that has been seen. */
export function withoutRepeats(shown: readonly ShownRow[]): ShownRow[] {
  const settled = new Set(
    shown.flatMap(({ row, isGone }) => (isGone && row.kind === 'waiting' ? [row.sessionId] : [])),
  );
  return shown.filter(({ row }) => row.kind !== 'running' || !settled.has(row.sessionId));
}
