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
  const touched = boards.reduce((sum, { touchedFiles }) => sum + touchedFiles.length, 0);
  const near = nearest(boards);
  const fewest = touched <= CANDIDATES - BY_MEANING ? touched : BY_PROMISE;
  const chosen = new Map<string, Chosen>();
  for (const one of [
    ...largest(boards, fewest, ({ promises }) => promises),
    ...near.slice(0, BY_MEANING),
    ...largest(boards, CANDIDATES, ({ bestScores }) => bestScores),
    ...near,
  ])
    if (chosen.size < CANDIDATES) chosen.set(`${boards.indexOf(one.board)} ${one.file}`, one);
  return [...chosen.values()];
}

/** Of the files that were touched, those with the largest numbers. */
function largest(
  boards: readonly ScoreBoard[],
  count: number,
  numbersOf: (board: ScoreBoard) => Float32Array,
): readonly Chosen[] {
  const best = new Largest(count, -1);
  for (const board of boards) {
    const { touchedFiles } = board;
    const numbers = numbersOf(board);
    for (let at = 0; at < touchedFiles.length; at++) {
      const file = touchedFiles[at]!;
      if (numbers[file]! > best.least) best.add(numbers[file]!, board, file);
    }
  }
  return best.chosen;
}

/** Nearest by meaning, nearest first; none where the question was not compared. */
function nearest(boards: readonly ScoreBoard[]): readonly Chosen[] {
  const { meaning: first } = boards[0] ?? {};
  if (first === undefined) return [];
  const best = new Largest(CANDIDATES, first.average - first.range);
  for (const board of boards) {
    const { nearness } = board.meaning!;
    const { isLive } = board;
    for (let file = 0; file < nearness.length; file++)
      if (nearness[file]! > best.least && isLive[file] === 1) best.add(nearness[file]!, board, file);
  }
  return best.chosen.filter(({ board, file }) => board.isNear(file));
}

/** The files with the largest numbers, largest first; of equals, the earlier. */
class Largest {
  readonly chosen: Chosen[] = [];
  /** What is not larger is none of them. */
  least: number;
  readonly #count: number;
  readonly #numbers: number[] = [];

  constructor(count: number, least: number) {
    this.#count = count;
    this.least = count === 0 ? Infinity : least;
  }

  /** The number is larger than the least. */
  add(number: number, board: ScoreBoard, file: number): void {
    const numbers = this.#numbers;
    let low = 0;
    let high = numbers.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (numbers[middle]! >= number) low = middle + 1;
      else high = middle;
    }
    numbers.splice(low, 0, number);
    this.chosen.splice(low, 0, { board, file });
    if (numbers.length > this.#count) {
      numbers.pop();
      this.chosen.pop();
    }
    if (numbers.length === this.#count) this.least = numbers[this.#count - 1]!;
  }
}
