import { GrowingArray } from '../segment/growing-array.ts';
import { folderTerm, stemTerm } from '../segment/path-terms.ts';
import { readPostings } from '../segment/postings.ts';
import { termHash } from '../text/term-hash.ts';
import type { LiveSegment } from './live-segment.ts';
import type { Question, QuestionTerm } from './question.ts';

/** What the postings say of one file for one question. Masks have a bit for each of the question's terms. */
export interface Candidate {
  segment: LiveSegment;
  file: number;
  /** The three best chunks, best first. */
  chunks: { chunk: number; score: number; mask: number; definitionMask: number }[];
  /** Score of the file as one text. */
  fileScore: number;
  mask: number;
  /** Words that only a synonym speaks for. */
  synonymMask: number;
  /** Of the file's first chunk, and of the chunk with most terms. */
  headMask: number;
  widestMask: number;
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
const CANDIDATES = 200;
const K1 = 1.2;
const B = 0.75;
/** A definition counts like so many mentions. */
const DEFINITION_COUNT = 3;
/** Terms that are no word of the question count for less. */
const KIND_WEIGHT = { word: 1, whole: 0.8, pair: 0.6, synonym: 0.4 } as const;

/** Every file that has a term of the question, with its scores, out of the view's files alone: rarity is the view's own. */
export function collectCandidates(segments: readonly LiveSegment[], question: Question): Collected {
  const { terms } = question;
  const chunkCount = sum(segments, ({ liveChunks }) => liveChunks);
  const chunkTerms = sum(segments, ({ liveTerms }) => liveTerms);
  const fileCount = sum(segments, ({ liveFiles }) => liveFiles);
  const averageChunk = chunkTerms / Math.max(1, chunkCount);
  const averageFile = chunkTerms / Math.max(1, fileCount);

  const found = segments.map((segment) => terms.map(({ hash }) => liveMatches(segment, hash)));
  const weights = new Float64Array(terms.length);
  const fileWeights = new Float64Array(terms.length);
  for (const [index, { kind, as }] of terms.entries()) {
    const chunks = sum(found, (matches) => matches[index]?.chunks.length ?? 0);
    const files = sum(found, (matches) => matches[index]?.files ?? 0);
    weights[index] = KIND_WEIGHT[kind] * Math.log(1 + (chunkCount - chunks + 0.5) / (chunks + 0.5));
    fileWeights[index] = KIND_WEIGHT[kind] * Math.log(1 + (fileCount - files + 0.5) / (files + 0.5));
    // A rare synonym is worth no more than a common word.
    if (kind === 'synonym') {
      weights[index] = Math.min(weights[index], KIND_WEIGHT.synonym * weights[as]!);
      fileWeights[index] = Math.min(fileWeights[index], KIND_WEIGHT.synonym * fileWeights[as]!);
    }
  }

  const stemFiles = new Float64Array(terms.length);
  const shortList = new ShortList(CANDIDATES);
  for (const [at, segment] of segments.entries()) {
    const board = new ScoreBoard(segment, averageChunk, averageFile);
    for (const [index, match] of found[at]!.entries())
      if (match !== undefined) board.addTerm(terms[index]!, match, weights[index]!, fileWeights[index]!);
    for (const term of terms) {
      stemFiles[term.as]! += board.addPath('stemMasks', term, termHash(stemTerm(term.term)));
      if (term.kind === 'word' || term.kind === 'synonym')
        board.addPath('folderMasks', term, termHash(folderTerm(term.term)));
    }
    board.finish(weights, shortList);
  }
  const stemWeights = stemFiles.map((files) => Math.log(1 + (fileCount - files + 0.5) / (files + 0.5)));
  return { candidates: shortList.candidates(), weights, stemWeights, files: fileCount };
}

interface Matches {
  chunks: Uint32Array;
  packed: Uint8Array;
  files: number;
}

function liveMatches({ reader, isLive }: LiveSegment, hash: number): Matches | undefined {
  const postings = reader.postings(hash);
  if (postings === undefined) return undefined;
  const chunkFile = reader.section('chunkFile');
  const chunks = new GrowingArray(Uint32Array, postings.length);
  const packed = new GrowingArray(Uint8Array, postings.length);
  let files = 0;
  let lastFile = -1;
  readPostings(postings.bytes, postings.length, (chunk, byte) => {
    const file = chunkFile[chunk]!;
    if (isLive[file] === 0) return;
    chunks.push(chunk);
    packed.push(byte);
    if (file !== lastFile) {
      files++;
      lastFile = file;
    }
  });
  return { chunks: chunks.view(), packed: packed.view(), files };
}

/** Adds up one segment's scores, in the segment's own arrays, which are cleared by going over what was touched. */
class ScoreBoard {
  readonly #segment: LiveSegment;
  readonly #averageChunk: number;
  readonly #averageFile: number;
  readonly #chunks = new GrowingArray(Uint32Array);
  readonly #files = new GrowingArray(Uint32Array);

  constructor(segment: LiveSegment, averageChunk: number, averageFile: number) {
    this.#segment = segment;
    this.#averageChunk = averageChunk;
    this.#averageFile = averageFile;
  }

  addTerm(term: QuestionTerm, { chunks, packed }: Matches, weight: number, fileWeight: number): void {
    const { reader, board } = this.#segment;
    const { scores, masks, definitionMasks, fileScores, fileMasks, synonymMasks, memberMasks, typeMasks } = board;
    const chunkFile = reader.section('chunkFile');
    const chunkTerms = reader.section('chunkTerms');
    const fileTerms = reader.section('fileTerms');
    const bit = 1 << term.as;
    const isSynonym = term.kind === 'synonym';
    let file = -1;
    let count = 0;
    const endFile = () => {
      if (file < 0) return;
      const length = 1 - B + (B * fileTerms[file]!) / this.#averageFile;
      fileScores[file]! += (fileWeight * count * (K1 + 1)) / (count + K1 * length);
      if (isSynonym) synonymMasks[file]! |= bit;
      else fileMasks[file]! |= bit;
    };
    for (let at = 0; at < chunks.length; at++) {
      const chunk = chunks[at]!;
      const byte = packed[at]!;
      if (chunkFile[chunk] !== file) {
        endFile();
        file = chunkFile[chunk]!;
        count = 0;
        this.#touch(file);
      }
      const level = byte >> 6;
      const weighted = (byte & 63) + (level > 0 ? DEFINITION_COUNT : 0);
      count += weighted;
      const length = 1 - B + (B * chunkTerms[chunk]!) / this.#averageChunk;
      if (masks[chunk] === 0) this.#chunks.push(chunk);
      scores[chunk]! += (weight * weighted * (K1 + 1)) / (weighted + K1 * length);
      masks[chunk]! |= isSynonym ? SYNONYM_BIT : bit;
      if (level === 0 || isSynonym) continue;
      definitionMasks[chunk]! |= bit;
      if (level === 2) typeMasks[file]! |= bit;
      else memberMasks[file]! |= bit;
    }
    endFile();
  }

  /** How many files have the term in their name. */
  addPath(mask: 'stemMasks' | 'folderMasks', term: QuestionTerm, hash: number): number {
    const postings = this.#segment.reader.postings(hash);
    if (postings === undefined) return 0;
    let count = 0;
    const chunkFile = this.#segment.reader.section('chunkFile');
    const masks = this.#segment.board[mask];
    readPostings(postings.bytes, postings.length, (chunk) => {
      const file = chunkFile[chunk]!;
      if (this.#segment.isLive[file] === 0) return;
      this.#touch(file);
      masks[file]! |= 1 << term.as;
      count++;
    });
    return count;
  }

  /** Offers every file that was touched, and clears the board. */
  finish(weights: Float64Array, shortList: ShortList): void {
    const { reader, board } = this.#segment;
    const chunkFile = reader.section('chunkFile');
    for (const chunk of this.#chunks.view()) {
      const file = chunkFile[chunk]!;
      if (board.scores[chunk]! > board.bestScores[file]!) board.bestScores[file] = board.scores[chunk]!;
    }
    for (const file of this.#files.view()) {
      const promise =
        board.bestScores[file]! +
        0.4 * board.fileScores[file]! +
        1.5 * maskWeight(board.stemMasks[file]!, weights) +
        0.5 * maskWeight(board.folderMasks[file]!, weights) +
        0.5 * maskWeight(board.memberMasks[file]! | board.typeMasks[file]!, weights);
      shortList.offer(promise, board.bestScores[file]!, () => this.#candidate(file));
    }
    shortList.settle();
    for (const chunk of this.#chunks.view()) {
      board.scores[chunk] = 0;
      board.masks[chunk] = 0;
      board.definitionMasks[chunk] = 0;
    }
    for (const file of this.#files.view())
      for (const array of [
        board.fileScores,
        board.bestScores,
        board.isTouched,
        board.fileMasks,
        board.synonymMasks,
        board.memberMasks,
        board.typeMasks,
        board.stemMasks,
        board.folderMasks,
      ])
        array[file] = 0;
  }

  #touch(file: number): void {
    const { isTouched } = this.#segment.board;
    if (isTouched[file] === 1) return;
    isTouched[file] = 1;
    this.#files.push(file);
  }

  #candidate(file: number): Candidate {
    const { reader, board } = this.#segment;
    const candidate: Candidate = {
      segment: this.#segment,
      file,
      chunks: [],
      fileScore: board.fileScores[file]!,
      mask: board.fileMasks[file]!,
      synonymMask: board.synonymMasks[file]!,
      headMask: board.masks[reader.chunksOf(file)[0]]!,
      widestMask: 0,
      memberMask: board.memberMasks[file]!,
      typeMask: board.typeMasks[file]!,
      stemMask: board.stemMasks[file]!,
      folderMask: board.folderMasks[file]!,
      matchedChunks: 0,
      definingChunks: [],
    };
    const [first, end] = reader.chunksOf(file);
    for (let chunk = first; chunk < end; chunk++) {
      if (board.masks[chunk] === 0) continue;
      candidate.matchedChunks++;
      if (bitCount(board.masks[chunk]!) > bitCount(candidate.widestMask)) candidate.widestMask = board.masks[chunk]!;
      if (board.definitionMasks[chunk] !== 0) candidate.definingChunks.push(chunk);
      keepBest(candidate.chunks, {
        chunk,
        score: board.scores[chunk]!,
        mask: board.masks[chunk]!,
        definitionMask: board.definitionMasks[chunk]!,
      });
    }
    return candidate;
  }
}

/**
 * The files that are worth a closer look: those that promise most, and those with the best chunk, so that a plain
 * match of words is never lost to a guess about names.
 */
class ShortList {
  readonly #most: number;
  #offers: { promise: number; best: number; make: () => Candidate; made?: Candidate }[] = [];

  constructor(most: number) {
    this.#most = most;
  }

  offer(promise: number, best: number, make: () => Candidate): void {
    this.#offers.push({ promise, best, make });
    if (this.#offers.length >= 16 * this.#most) this.#cut();
  }

  /** What stays is read off the board now; it is cleared next. */
  settle(): void {
    this.#cut();
    for (const offer of this.#offers) offer.made ??= offer.make();
  }

  candidates(): Candidate[] {
    return this.#offers.map(({ made }) => made!);
  }

  #cut(): void {
    if (this.#offers.length <= this.#most) return;
    const byPromise = this.#offers.toSorted((one, other) => other.promise - one.promise).slice(0, this.#most);
    const kept = new Set(byPromise.slice(0, Math.ceil(this.#most * 0.75)));
    for (const offer of this.#offers.toSorted((one, other) => other.best - one.best)) {
      if (kept.size >= this.#most) break;
      kept.add(offer);
    }
    this.#offers = [...kept];
  }
}

/** In a chunk's mask: a synonym stands there. */
const SYNONYM_BIT = 1 << 30;

export function bitCount(mask: number): number {
  let count = 0;
  for (let rest = mask; rest !== 0; rest &= rest - 1) count++;
  return count;
}

export function maskWeight(mask: number, weights: Float64Array): number {
  let total = 0;
  for (let rest = mask, index = 0; rest !== 0; rest >>>= 1, index++) if ((rest & 1) === 1) total += weights[index]!;
  return total;
}

function keepBest(best: Candidate['chunks'], chunk: Candidate['chunks'][number]): void {
  if (best.length === 3 && best[2]!.score >= chunk.score) return;
  let at = best.length;
  while (at > 0 && best[at - 1]!.score < chunk.score) at--;
  best.splice(at, 0, chunk);
  if (best.length > 3) best.pop();
}

function sum<Item>(items: readonly Item[], value: (item: Item) => number): number {
  let total = 0;
  for (const item of items) total += value(item);
  return total;
}
