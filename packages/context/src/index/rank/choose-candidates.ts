import type { ScoreBoard } from './score-board.ts';

/** How many files are looked at closely. */
const CANDIDATES = 80;
/**
 * Of these, so many by promise, and so many by meaning, words or no words; the others have the best chunks, so that a plain
 * match is never lost to a guess.
 */
const BY_PROMISE = 52;
const BY_MEANING = 16;

interface Chosen {
  board: ScoreBoard;
  file: number;
}

/** Files with the most promise, those nearest by meaning, then those with the best chunk, of all segments together. */
export function chooseCandidates(boards: readonly ScoreBoard[]): Chosen[] {
  const promises = joined(boards, ({ touchedFiles, promises }) => pick(promises, touchedFiles));
  const bestScores = joined(boards, ({ touchedFiles, bestScores }) => pick(bestScores, touchedFiles));
  const touched = (index: number): Chosen => {
    const { board, at } = placeOf(boards, ({ touchedFiles }) => touchedFiles.length, index);
    return { board, file: board.touchedFiles[at]! };
  };
  const near = nearest(boards);
  const fewest = promises.length <= CANDIDATES - BY_MEANING ? promises.length : BY_PROMISE;
  const chosen = new Map<string, Chosen>();
  for (const one of [
    ...largest(promises, fewest).map(touched),
    ...near.slice(0, BY_MEANING),
    ...largest(bestScores, CANDIDATES).map(touched),
    ...near,
  ])
    if (chosen.size < CANDIDATES) chosen.set(`${boards.indexOf(one.board)} ${one.file}`, one);
  return [...chosen.values()];
}

function pick(values: Float32Array, at: Uint32Array): Float32Array {
  const picked = new Float32Array(at.length);
  for (let index = 0; index < at.length; index++) picked[index] = values[at[index]!]!;
  return picked;
}

/** Nearest by meaning, nearest first; none where the question was not compared. */
function nearest(boards: readonly ScoreBoard[]): Chosen[] {
  const compared = boards.filter(({ meaning }) => meaning !== undefined);
  const scores = joined(compared, ({ meaning }) => meaning!.scores);
  return largest(scores, CANDIDATES)
    .map((index) => placeOf(compared, ({ meaning }) => meaning!.scores.length, index))
    .map(({ board, at }) => ({ board, file: at }))
    .filter(({ board, file }) => board.isNear(file));
}

/** The numbers of all boards, one after another. */
function joined(boards: readonly ScoreBoard[], numbers: (board: ScoreBoard) => Float32Array): Float32Array {
  const parts = boards.map(numbers);
  const all = new Float32Array(parts.reduce((total, { length }) => total + length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

/** Which board such a number is of, and where it stands there. */
function placeOf(
  boards: readonly ScoreBoard[],
  length: (board: ScoreBoard) => number,
  index: number,
): { board: ScoreBoard; at: number } {
  let at = index;
  for (const board of boards) {
    if (at < length(board)) return { board, at };
    at -= length(board);
  }
  throw new Error(`there is no file ${index}`);
}

/** Where the largest values are, largest first; of equals, the earlier. */
function largest(values: Float32Array, count: number): number[] {
  const best: number[] = [];
  let least = -1;
  for (let index = 0; index < values.length; index++) {
    const value = values[index]!;
    if (value <= least) continue;
    let low = 0;
    let high = best.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (values[best[middle]!]! >= value) low = middle + 1;
      else high = middle;
    }
    best.splice(low, 0, index);
    if (best.length > count) best.pop();
    if (best.length === count) least = values[best[count - 1]!]!;
  }
  return best;
}
