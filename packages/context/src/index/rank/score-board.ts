import { type FileMeaning, fileMeaning, type SegmentMeaning } from './file-meaning.ts';
import type { LiveMatches, LiveSegment } from './live-segment.ts';
import { bitCount, type MaskWeight } from './mask-weights.ts';
import type { QuestionTerm } from './question.ts';

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
  /** How near the file is by meaning; undefined where the question has none to compare. */
  meaning: FileMeaning | undefined;
}

/** What a term of the question is worth in one view. */
export interface TermWorth {
  weight: number;
  fileWeight: number;
  /** In the whole view. */
  mentions: number;
}

const K1 = 1.2;
const B = 0.75;
/** A definition counts like so many mentions. */
const DEFINITION_COUNT = 3;
/** A file that has none of the question's words is one of them only if it is as near as this. */
const LEAST_NEAR = 0.15;
/** Adds up one segment's scores, in the segment's own arrays, which are cleared by going over what was touched. */
export class ScoreBoard {
  readonly #segment: LiveSegment;
  readonly #averageChunk: number;
  readonly #averageFile: number;
  #chunkCount = 0;
  #fileCount = 0;
  /** Where the question was compared by meaning. */
  meaning: SegmentMeaning | undefined;

  constructor(segment: LiveSegment, averageChunk: number, averageFile: number) {
    this.#segment = segment;
    this.#averageChunk = averageChunk;
    this.#averageFile = averageFile;
  }

  /** Unless it is `isOpen`, only to files that have something already. */
  addTerm(term: QuestionTerm, { chunks, packed, length }: LiveMatches, worth: TermWorth, isOpen: boolean): void {
    const { reader, board } = this.#segment;
    const { scores, masks, definitionMasks, memberMasks, typeMasks, touchedChunks, isTouched } = board;
    const { weight } = worth;
    const chunkFile = reader.section('chunkFile');
    const chunkTerms = reader.section('chunkTerms');
    const bit = 1 << term.as;
    const perTerm = (K1 * B) / this.#averageChunk;
    let file = -1;
    let count = 0;
    for (let at = 0; at < length; at++) {
      const chunk = chunks[at]!;
      const chunkOf = chunkFile[chunk]!;
      if (!isOpen && isTouched[chunkOf] === 0) continue;
      const byte = packed[at]!;
      if (chunkOf !== file) {
        if (file >= 0) this.#endFile(file, count, term, worth);
        file = chunkOf;
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

  addPath(
    mask: 'stemMasks' | 'folderMasks',
    term: QuestionTerm,
    { chunks, length }: LiveMatches,
    isOpen: boolean,
  ): void {
    const chunkFile = this.#segment.reader.section('chunkFile');
    const { isTouched, [mask]: masks } = this.#segment.board;
    for (let at = 0; at < length; at++) {
      const file = chunkFile[chunks[at]!]!;
      if (!isOpen && isTouched[file] === 0) continue;
      this.#touch(file);
      masks[file] = masks[file]! | (1 << term.as);
    }
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

  /** Whether a file may be found by meaning alone. */
  isNear(file: number): boolean {
    return this.meaning !== undefined && fileMeaning(this.meaning, this.#segment, file).best >= LEAST_NEAR;
  }

  get isLive(): Uint8Array {
    return this.#segment.isLive;
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
      meaning: this.meaning && fileMeaning(this.meaning, this.#segment, file),
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

function keepBest(best: CandidateChunk[], chunk: number, score: number, mask: number, definitionMask: number): void {
  if (best.length === 3 && best[2]!.score >= score) return;
  let at = best.length;
  while (at > 0 && best[at - 1]!.score < score) at--;
  best.splice(at, 0, { chunk, score, mask, definitionMask });
  if (best.length > 3) best.pop();
}
