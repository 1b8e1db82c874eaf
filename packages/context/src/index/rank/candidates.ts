import { folderTerm, stemTerm } from '../segment/path-terms.ts';
import { termHash } from '../text/term-hash.ts';
import { type LiveMatches, liveMatches, type LiveSegment } from './live-segment.ts';
import { bitCount, type MaskWeight, maskWeights } from './mask-weights.ts';
import type { Question, QuestionTerm } from './question.ts';

interface CandidateChunk {
  chunk: number;
  score: number;
  mask: number;
  definitionMask: number;
}

/** What the postings say of one file for one question. Masks have a bit for each of the question's terms. */
export interface Candidate {
  segment: LiveSegment;
  file: number;
  /** What the file promises at first sight; the files with most are looked at closely. */
  promise: number;
  /** The three best chunks, best first. */
  chunks: CandidateChunk[];
  /** Score of the file as one text. */
  fileScore: number;
  /** How much of what the view says of the question's words is said here. */
  focus: number;
  mask: number;
  /** Of the file's first chunk, of the chunk with most terms, and of the one that has most in text and definitions. */
  headMask: number;
  widestMask: number;
  definedMask: number;
  memberMask: number;
  typeMask: number;
  stemMask: number;
  folderMask: number;
  matchedChunks: number;
  /** Chunks whose definitions carry a term. */
  definingChunks: number[];
}

/** Weights of one question's terms in one view, and what its candidates are compared with. */
export interface Collected {
  candidates: Candidate[];
  /** By term: rarity among chunks. */
  weights: Float64Array;
  /** By term: rarity among the names of files. */
  stemWeights: Float64Array;
  files: number;
}

/** How many files are looked at closely. */
const CANDIDATES = 100;
/** Of these, so many by promise; the others have the best chunks, so that a plain match is never lost to a guess about names. */
const BY_PROMISE = 75;
const K1 = 1.2;
const B = 0.75;
/** A definition counts like so many mentions. */
const DEFINITION_COUNT = 3;
/** Terms that are no word of the question count for less. */
const KIND_WEIGHT = { word: 1, whole: 0.8, pair: 0.6, synonym: 0 } as const;

/** The files that may answer a question, with their scores, out of the view's files alone: rarity is the view's own. */
export function collectCandidates(segments: readonly LiveSegment[], question: Question): Collected {
  const { terms } = question;
  const chunkCount = sum(segments, ({ liveChunks }) => liveChunks);
  const chunkTerms = sum(segments, ({ liveTerms }) => liveTerms);
  const fileCount = sum(segments, ({ liveFiles }) => liveFiles);

  for (const { room } of segments) room.used = 0;
  // A word that means the same tells much in a name, but in the text it only finds more of everything.
  const found = segments.map((segment) =>
    terms.map(({ hash, kind }) => (kind === 'synonym' ? undefined : liveMatches(segment, hash))),
  );
  const worth = terms.map(({ kind }, index): TermWorth => {
    const matches = found.map((matches) => matches[index]).filter((match) => match !== undefined);
    return {
      weight:
        KIND_WEIGHT[kind] *
        rarity(
          sum(matches, ({ length }) => length),
          chunkCount,
        ),
      fileWeight:
        KIND_WEIGHT[kind] *
        rarity(
          sum(matches, ({ files }) => files),
          fileCount,
        ),
      mentions: sum(matches, ({ mentions }) => mentions),
    };
  });

  const weights = Float64Array.from(worth, ({ weight }) => weight);
  const weigh = maskWeights(weights);
  const stemFiles = new Float64Array(terms.length);
  const boards = segments.map((segment, at) => {
    const board = new ScoreBoard(segment, chunkTerms / Math.max(1, chunkCount), chunkTerms / Math.max(1, fileCount));
    for (const [index, match] of found[at]!.entries())
      if (match !== undefined) board.addTerm(terms[index]!, match, worth[index]!);
    for (const term of terms) {
      stemFiles[term.as]! += board.addPath('stemMasks', term, termHash(stemTerm(term.term)));
      if (term.kind === 'word' || term.kind === 'synonym')
        board.addPath('folderMasks', term, termHash(folderTerm(term.term)));
    }
    board.weighPromises(weigh);
    return board;
  });
  const candidates = choose(boards).map(({ board, file }) => board.candidate(file, weigh));
  for (const board of boards) board.clear();
  return { candidates, weights, stemWeights: stemFiles.map((files) => rarity(files, fileCount)), files: fileCount };
}

interface TermWorth {
  weight: number;
  fileWeight: number;
  /** In the whole view. */
  mentions: number;
}

function rarity(having: number, all: number): number {
  return Math.log(1 + (all - having + 0.5) / (having + 0.5));
}

/** Adds up one segment's scores, in the segment's own arrays, which are cleared by going over what was touched. */
class ScoreBoard {
  readonly #segment: LiveSegment;
  readonly #averageChunk: number;
  readonly #averageFile: number;
  #chunkCount = 0;
  #fileCount = 0;

  constructor(segment: LiveSegment, averageChunk: number, averageFile: number) {
    this.#segment = segment;
    this.#averageChunk = averageChunk;
    this.#averageFile = averageFile;
  }

  addTerm(term: QuestionTerm, { chunks, packed, length }: LiveMatches, worth: TermWorth): void {
    const { reader, board } = this.#segment;
    const { scores, masks, definitionMasks, memberMasks, typeMasks, touchedChunks } = board;
    const { weight } = worth;
    const chunkFile = reader.section('chunkFile');
    const chunkTerms = reader.section('chunkTerms');
    const bit = 1 << term.as;
    const perTerm = (K1 * B) / this.#averageChunk;
    let file = -1;
    let count = 0;
    for (let at = 0; at < length; at++) {
      const chunk = chunks[at]!;
      const byte = packed[at]!;
      if (chunkFile[chunk] !== file) {
        if (file >= 0) this.#endFile(file, count, term, worth);
        file = chunkFile[chunk]!;
        count = 0;
      }
      const level = byte >> 6;
      const weighted = (byte & 63) + (level > 0 ? DEFINITION_COUNT : 0);
      count += weighted;
      if (masks[chunk] === 0) touchedChunks[this.#chunkCount++] = chunk;
      scores[chunk] =
        scores[chunk]! + (weight * weighted * (K1 + 1)) / (weighted + K1 * (1 - B) + perTerm * chunkTerms[chunk]!);
      masks[chunk] = masks[chunk]! | bit;
      if (level === 0) continue;
      definitionMasks[chunk] = definitionMasks[chunk]! | bit;
      if (level === 2) typeMasks[file] = typeMasks[file]! | bit;
      else memberMasks[file] = memberMasks[file]! | bit;
    }
    if (file >= 0) this.#endFile(file, count, term, worth);
  }

  #endFile(file: number, count: number, term: QuestionTerm, { fileWeight, mentions }: TermWorth): void {
    const { fileScores, focus, fileMasks } = this.#segment.board;
    this.#touch(file);
    const length = 1 - B + (B * this.#segment.reader.section('fileTerms')[file]!) / this.#averageFile;
    fileScores[file]! += (fileWeight * count * (K1 + 1)) / (count + K1 * length);
    fileMasks[file]! |= 1 << term.as;
    if (term.kind === 'word') focus[file]! += (fileWeight * count) / mentions;
  }

  /** How many files have the term in their path. */
  addPath(mask: 'stemMasks' | 'folderMasks', term: QuestionTerm, hash: number): number {
    const matches = liveMatches(this.#segment, hash);
    if (matches === undefined) return 0;
    const chunkFile = this.#segment.reader.section('chunkFile');
    const masks = this.#segment.board[mask];
    for (let at = 0; at < matches.length; at++) {
      const file = chunkFile[matches.chunks[at]!]!;
      this.#touch(file);
      masks[file]! |= 1 << term.as;
    }
    return matches.length;
  }

  /** How much each file that was touched promises. */
  weighPromises(weigh: MaskWeight): void {
    const { reader, board } = this.#segment;
    const chunkFile = reader.section('chunkFile');
    const { scores, bestScores, fileScores, stemMasks, folderMasks, memberMasks, typeMasks, promises } = board;
    for (let at = 0; at < this.#chunkCount; at++) {
      const chunk = board.touchedChunks[at]!;
      const file = chunkFile[chunk]!;
      if (scores[chunk]! > bestScores[file]!) bestScores[file] = scores[chunk]!;
    }
    for (let at = 0; at < this.#fileCount; at++) {
      const file = board.touchedFiles[at]!;
      const stem = stemMasks[file]!;
      const folder = folderMasks[file]!;
      const named = memberMasks[file]! | typeMasks[file]!;
      let promise = bestScores[file]! + 0.4 * fileScores[file]!;
      if (stem !== 0) promise += 1.5 * weigh(stem);
      if (folder !== 0) promise += 0.5 * weigh(folder);
      if (named !== 0) promise += 0.5 * weigh(named);
      promises[file] = promise;
    }
  }

  get touchedFiles(): Uint32Array {
    return this.#segment.board.touchedFiles.subarray(0, this.#fileCount);
  }

  get promises(): Float32Array {
    return this.#segment.board.promises;
  }

  get bestScores(): Float32Array {
    return this.#segment.board.bestScores;
  }

  clear(): void {
    const { board } = this.#segment;
    clear([board.scores, board.masks, board.definitionMasks], board.touchedChunks.subarray(0, this.#chunkCount));
    clear(
      [
        board.isTouched,
        board.promises,
        board.bestScores,
        board.fileScores,
        board.focus,
        board.fileMasks,
        board.memberMasks,
        board.typeMasks,
        board.stemMasks,
        board.folderMasks,
      ],
      this.touchedFiles,
    );
  }

  #touch(file: number): void {
    const { isTouched, touchedFiles } = this.#segment.board;
    if (isTouched[file] === 1) return;
    isTouched[file] = 1;
    touchedFiles[this.#fileCount++] = file;
  }

  candidate(file: number, weigh: MaskWeight): Candidate {
    const { reader, board } = this.#segment;
    const [first, end] = reader.chunksOf(file);
    const candidate: Candidate = {
      segment: this.#segment,
      file,
      promise: board.promises[file]!,
      chunks: [],
      fileScore: board.fileScores[file]!,
      focus: board.focus[file]!,
      mask: board.fileMasks[file]!,
      headMask: board.masks[first] ?? 0,
      widestMask: 0,
      definedMask: 0,
      memberMask: board.memberMasks[file]!,
      typeMask: board.typeMasks[file]!,
      stemMask: board.stemMasks[file]!,
      folderMask: board.folderMasks[file]!,
      matchedChunks: 0,
      definingChunks: [],
    };
    let mostDefined = 0;
    for (let chunk = first; chunk < end; chunk++) {
      const mask = board.masks[chunk]!;
      if (mask === 0) continue;
      const definitionMask = board.definitionMasks[chunk]!;
      candidate.matchedChunks++;
      if (bitCount(mask) > bitCount(candidate.widestMask)) candidate.widestMask = mask;
      if (definitionMask !== 0) {
        candidate.definingChunks.push(chunk);
        const defined = weigh(mask) + weigh(definitionMask);
        if (defined > mostDefined) {
          mostDefined = defined;
          candidate.definedMask = mask;
        }
      }
      keepBest(candidate.chunks, chunk, board.scores[chunk]!, mask, definitionMask);
    }
    return candidate;
  }
}

/** Where much was touched, wiping all of it is quicker than picking it out. */
function clear(arrays: readonly (Uint8Array | Uint32Array | Float32Array)[], touched: Uint32Array): void {
  for (const array of arrays) {
    if (touched.length * 8 > array.length) array.fill(0);
    else for (let at = 0; at < touched.length; at++) array[touched[at]!] = 0;
  }
}

/** Files with the most promise, then those with the best chunk, of all segments together. */
function choose(boards: readonly ScoreBoard[]): { board: ScoreBoard; file: number }[] {
  const total = sum(boards, ({ touchedFiles }) => touchedFiles.length);
  const promises = new Float32Array(total);
  const bestScores = new Float32Array(total);
  let at = 0;
  for (const board of boards) {
    for (const file of board.touchedFiles) {
      promises[at] = board.promises[file]!;
      bestScores[at++] = board.bestScores[file]!;
    }
  }
  const chosen = new Set(largest(promises, total <= CANDIDATES ? total : BY_PROMISE));
  for (const index of largest(bestScores, CANDIDATES)) if (chosen.size < CANDIDATES) chosen.add(index);
  return [...chosen].map((index) => fileAt(boards, index));
}

function fileAt(boards: readonly ScoreBoard[], index: number): { board: ScoreBoard; file: number } {
  let rest = index;
  for (const board of boards) {
    const { touchedFiles } = board;
    if (rest < touchedFiles.length) return { board, file: touchedFiles[rest]! };
    rest -= touchedFiles.length;
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

function keepBest(best: CandidateChunk[], chunk: number, score: number, mask: number, definitionMask: number): void {
  if (best.length === 3 && best[2]!.score >= score) return;
  let at = best.length;
  while (at > 0 && best[at - 1]!.score < score) at--;
  best.splice(at, 0, { chunk, score, mask, definitionMask });
  if (best.length > 3) best.pop();
}

function sum<Item>(items: readonly Item[], value: (item: Item) => number): number {
  let total = 0;
  for (const item of items) total += value(item);
  return total;
}
