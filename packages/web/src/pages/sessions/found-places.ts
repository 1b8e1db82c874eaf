import type { SearchHit } from '@dragoman/protocol';

/** What was found in one session. */
export interface FoundSession {
  sessionId: string;
  title: string;
  hits: SearchHit[];
}

/** Hits by their sessions, the session with the best hit first. */
export function bySession(hits: readonly SearchHit[]): FoundSession[] {
  const groups = Map.groupBy(hits, ({ sessionId }) => sessionId);
  return [...groups].map(([sessionId, within]) => ({ sessionId, title: within[0]!.sessionTitle, hits: within }));
}

/** A text in pieces, each marked or not. Marks that overlap, are out of order or reach too far do no harm. */
export function markedPieces(
  text: string,
  marks: readonly (readonly [number, number])[],
): { text: string; isMarked: boolean }[] {
  const pieces: { text: string; isMarked: boolean }[] = [];
  let done = 0;
  for (const [from, to] of marks.toSorted(([one], [other]) => one - other)) {
    const start = Math.min(Math.max(from, done), text.length);
    const end = Math.min(to, text.length);
    if (end <= start) continue;
    if (start > done) pieces.push({ text: text.slice(done, start), isMarked: false });
    pieces.push({ text: text.slice(start, end), isMarked: true });
    done = end;
  }
  if (done < text.length) pieces.push({ text: text.slice(done), isMarked: false });
  return pieces;
}
