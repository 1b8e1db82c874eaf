import type { PackedQuery } from '../vectors/pack-query.ts';
import type { LiveSegment } from './live-segment.ts';

/** What the path counts beside the best chunk. */
const PATH_SHARE = 0.6;
/** The score of files that the view does not see: below all others. */
const UNSEEN = -Infinity;

/** How near the files of one segment are to a question by meaning. */
export interface SegmentMeaning {
  /** By file: of the best chunk and the path together. 1 for the file of the view that is nearest, 0 for the average one. */
  scores: Float32Array;
  /** Products by chunk and by file, and what turns them into cosines. */
  chunks: Int32Array;
  paths: Int32Array;
  scale: number;
}

/** How near one file is: 1 would be the same. */
export interface FileMeaning {
  score: number;
  /** Of the best chunk, of the one after it, of all chunks on average, of the path. */
  best: number;
  second: number;
  average: number;
  path: number;
  bestChunk: number;
}

/** Compares every chunk and every path of a view with the question. One exact look at all of them: there is no second index. */
export function compareMeaning(segments: readonly LiveSegment[], question: PackedQuery): SegmentMeaning[] {
  const found = segments.map((segment) => compareSegment(segment, question));
  scaleScores(segments, found);
  return found;
}

function compareSegment({ reader, isLive }: LiveSegment, { numbers, scale }: PackedQuery): SegmentMeaning {
  const chunks = reader.vectors('chunkVectors').scan(numbers);
  const paths = reader.vectors('pathVectors').scan(numbers);
  const firstChunk = reader.section('fileFirstChunk');
  const files = reader.fileCount;
  const scores = new Float32Array(files);
  let chunk = 0;
  for (let file = 0; file < files; file++) {
    const end = file + 1 < files ? firstChunk[file + 1]! : chunks.length;
    let best = 0;
    for (; chunk < end; chunk++) best = Math.max(best, chunks[chunk]!);
    if (isLive[file] === 1) scores[file] = scale * (best + PATH_SHARE * paths[file]!);
  }
  return { scores, chunks, paths, scale };
}

/** Questions differ in how near anything comes to them; the nearest and the average file make them alike. */
function scaleScores(segments: readonly LiveSegment[], found: readonly SegmentMeaning[]): void {
  let most = -Infinity;
  let sum = 0;
  let count = 0;
  for (const [at, { isLive }] of segments.entries()) {
    const { scores } = found[at]!;
    for (let file = 0; file < scores.length; file++) {
      if (isLive[file] === 0) continue;
      if (scores[file]! > most) most = scores[file]!;
      sum += scores[file]!;
      count++;
    }
  }
  const average = count === 0 ? 0 : sum / count;
  const range = Math.max(1e-6, most - average);
  for (const [at, { isLive }] of segments.entries()) {
    const { scores } = found[at]!;
    for (let file = 0; file < scores.length; file++)
      scores[file] = isLive[file] === 0 ? UNSEEN : (scores[file]! - average) / range;
  }
}

/** What the comparison says of one file. */
export function fileMeaning(
  { scores, chunks, paths, scale }: SegmentMeaning,
  { reader }: LiveSegment,
  file: number,
): FileMeaning {
  const [first, end] = reader.chunksOf(file);
  let bestChunk = first;
  let best = 0;
  let second = 0;
  let sum = 0;
  for (let chunk = first; chunk < end; chunk++) {
    const product = chunks[chunk]!;
    sum += product;
    if (product > best) {
      second = best;
      best = product;
      bestChunk = chunk;
    } else if (product > second) second = product;
  }
  return {
    score: scores[file]!,
    best: best * scale,
    second: second * scale,
    average: (sum * scale) / Math.max(1, end - first),
    path: paths[file]! * scale,
    bestChunk,
  };
}
