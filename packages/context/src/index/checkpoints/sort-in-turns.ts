import { inTurns, NAMES_PER_TURN, nextTurn } from '../blobs/next-turn.ts';

/** As `sort` does it, with turns for others in between where the list is long. */
export async function sortInTurns(names: readonly string[]): Promise<string[]> {
  let pieces: string[][] = [];
  for await (const some of inTurns(names)) pieces.push(some.toSorted());
  while (pieces.length > 1) {
    const merged: string[][] = [];
    for (let at = 0; at < pieces.length; at += 2)
      merged.push(at + 1 < pieces.length ? await merge(pieces[at]!, pieces[at + 1]!) : pieces[at]!);
    pieces = merged;
  }
  return pieces[0] ?? [];
}

async function merge(one: readonly string[], other: readonly string[]): Promise<string[]> {
  const merged: string[] = [];
  let [left, right] = [0, 0];
  while (left < one.length || right < other.length) {
    const takesLeft = right === other.length || (left < one.length && one[left]! <= other[right]!);
    merged.push(takesLeft ? one[left++]! : other[right++]!);
    if (merged.length % NAMES_PER_TURN === 0) await nextTurn();
  }
  return merged;
}
