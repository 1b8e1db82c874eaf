import { folderTerm, stemTerm } from '../segment/path-terms.ts';
import { termHash } from '../text/term-hash.ts';
import { chooseCandidates } from './choose-candidates.ts';
import type { SegmentMeaning } from './file-meaning.ts';
import { type LiveMatches, liveMatches, type LiveSegment } from './live-segment.ts';
import { maskWeights } from './mask-weights.ts';
import type { Question, QuestionTerm } from './question.ts';
import { type Candidate, ScoreBoard, type TermWorth } from './score-board.ts';

/** Weights of one question's terms in one view, and what its candidates are compared with. */
export interface Collected {
  candidates: Candidate[];
  /** By term: rarity among chunks. */
  weights: Float64Array;
  /** By term: rarity among the names of files. */
  stemWeights: Float64Array;
  files: number;
}

/** Terms that are no word of the question count for less. */
const KIND_WEIGHT = { word: 1, whole: 0.8, pair: 0.6, synonym: 0 } as const;
/**
 * When so many files have the rarer words, those that have nothing but commoner ones are left out: they are not among the best,
 * and a common word stands in most files.
 */
const ENOUGH_FILES = 1_000;

/** Where a term stands, in each segment and in all. */
interface Found {
  term: QuestionTerm;
  matches: (LiveMatches | undefined)[];
  length: number;
  add: (board: ScoreBoard, match: LiveMatches, isOpen: boolean) => void;
}

/**
 * The files that may answer a question, with their scores, out of the view's files alone: rarity is the view's own. Where
 * the question is compared by meaning, too, that may go on elsewhere while words are looked up.
 */
export function collectCandidates(
  segments: readonly LiveSegment[],
  question: Question,
  compared: (() => SegmentMeaning[]) | undefined,
): Collected {
  const { terms } = question;
  const chunkCount = sum(segments, ({ liveChunks }) => liveChunks);
  const chunkTerms = sum(segments, ({ liveTerms }) => liveTerms);
  const fileCount = sum(segments, ({ liveFiles }) => liveFiles);

  for (const { room } of segments) room.used = 0;
  const find = (term: QuestionTerm, hash: number, add: Found['add']): Found => {
    const matches = segments.map((segment) => liveMatches(segment, hash));
    return { term, matches, length: sum(matches, (match) => match?.length ?? 0), add };
  };
  const worth: TermWorth[] = [];
  const texts = terms
    // A word that means the same tells much in a name, but in the text it only finds more of everything.
    .filter(({ kind }) => kind !== 'synonym')
    .map((term) =>
      find(term, term.hash, (board, match, isOpen) => board.addTerm(term, match, worth[term.as]!, isOpen)),
    );
  for (const { term, matches } of texts) worth[term.as] = worthOf(term, matches, chunkCount, fileCount);
  const stems = terms.map((term) =>
    find(term, termHash(stemTerm(term.term)), (board, match, isOpen) =>
      board.addPath('stemMasks', term, match, isOpen),
    ),
  );
  const folders = terms
    .filter(({ kind }) => kind === 'word' || kind === 'synonym')
    .map((term) =>
      find(term, termHash(folderTerm(term.term)), (board, match, isOpen) =>
        board.addPath('folderMasks', term, match, isOpen),
      ),
    );

  const boards = segments.map(
    (segment) => new ScoreBoard(segment, chunkTerms / Math.max(1, chunkCount), chunkTerms / Math.max(1, fileCount)),
  );
  for (const { matches, add } of [...texts, ...stems, ...folders].sort((one, other) => one.length - other.length)) {
    const isOpen = sum(boards, ({ touchedFiles }) => touchedFiles.length) < ENOUGH_FILES;
    for (const [at, board] of boards.entries()) if (matches[at] !== undefined) add(board, matches[at], isOpen);
  }
  const weights = Float64Array.from(terms, ({ kind, as }) => (kind === 'synonym' ? 0 : worth[as]!.weight));
  const weigh = maskWeights(weights);
  for (const board of boards) board.weighPromises(weigh);
  const meanings = compared?.();
  for (const [at, board] of boards.entries()) board.meaning = meanings?.[at];
  const candidates = chooseCandidates(boards).map(({ board, file }) => board.candidate(file, weigh));
  for (const board of boards) board.clear();
  const stemFiles = new Float64Array(terms.length);
  for (const { term, length } of stems) stemFiles[term.as]! += length;
  return { candidates, weights, stemWeights: stemFiles.map((files) => rarity(files, fileCount)), files: fileCount };
}

function worthOf({ kind }: QuestionTerm, matches: Found['matches'], chunkCount: number, fileCount: number): TermWorth {
  const found = matches.filter((match) => match !== undefined);
  const inChunks = sum(found, ({ length }) => length);
  const inFiles = sum(found, ({ files }) => files);
  return {
    weight: KIND_WEIGHT[kind] * rarity(inChunks, chunkCount),
    fileWeight: KIND_WEIGHT[kind] * rarity(inFiles, fileCount),
    mentions: sum(found, ({ mentions }) => mentions),
  };
}

function rarity(having: number, all: number): number {
  return Math.log(1 + (all - having + 0.5) / (having + 0.5));
}

function sum<Item>(items: readonly Item[], value: (item: Item) => number): number {
  let total = 0;
  for (const item of items) total += value(item);
  return total;
}
