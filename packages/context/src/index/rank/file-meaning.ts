import type { SegmentReader } from '../segment/segment-reader.ts';
import type { PackedQuery } from '../vectors/pack-query.ts';
import type { VectorTable } from '../vectors/vector-table.ts';
import type { LiveSegment } from './live-segment.ts';

/** What the path counts beside the best chunk. */
const PATH_SHARE = 0.6;

/** How near the files of one segment are to a question by meaning. */
export interface SegmentMeaning {
  /** By file: of the best chunk and the path together, as products. */
  nearness: Float32Array;
  /** Products by chunk and by file, and what turns them into cosines. */
  chunks: Int32Array;
  paths: Int32Array;
  scale: number;
  /** The nearness of the average file of the view, and how much nearer the nearest is. */
  average: number;
  range: number;
}

/** How near one file is: 1 would be the same. */
export interface FileMeaning {
  /** Of the best chunk and the path together: 1 for the nearest file of the view, 0 for the average one. */
  score: number;
  /** Of the best chunk, of the one after it, of all chunks on average, of the path. */
  best: number;
  second: number;
  average: number;
  path: number;
  bestChunk: number;
}

/** Begins to compare a view with a question. What it returns waits for the end of that, and may be called once. */
export type CompareMeaning = (segments: readonly LiveSegment[], question: PackedQuery) => () => SegmentMeaning[];

/** Compares every chunk and every path of a view with the question. One exact look at all of them: there is no second index. */
export const compareMeaning: CompareMeaning = (segments, question) => () => {
  const nearness = segments.map(({ reader }) => {
    const near = new Float32Array(reader.fileCount);
    scanSegment({ ...tablesOf(reader), nearness: near }, question.numbers);
    return near;
  });
  return meaningsOf(segments, question, nearness);
};

/** What is scanned of a segment, and where it is written how near its files are. */
export interface ScannedSegment {
  chunks: VectorTable;
  paths: VectorTable;
  firstChunk: Uint32Array;
  /** By file: the best product of its chunks with that of its path. */
  nearness: Float32Array;
}

export function tablesOf(reader: SegmentReader): Omit<ScannedSegment, 'nearness'> {
  return {
    chunks: reader.vectors('chunkVectors'),
    paths: reader.vectors('pathVectors'),
    firstChunk: reader.section('fileFirstChunk'),
  };
}

/** Compares a question with all of a segment. What it finds lies in the tables and in `nearness`. */
export function scanSegment(segment: ScannedSegment, question: Int8Array): void {
  const chunks = segment.chunks.scan(question);
  const paths = segment.paths.scan(question);
  const { firstChunk, nearness } = segment;
  let chunk = 0;
  for (let file = 0; file < paths.length; file++) {
    const end = file + 1 < paths.length ? firstChunk[file + 1]! : chunks.length;
    let best = 0;
    for (; chunk < end; chunk++) if (chunks[chunk]! > best) best = chunks[chunk]!;
    nearness[file] = best + PATH_SHARE * paths[file]!;
  }
}

/**
 * Of tables that were scanned, and the nearness that came of it. Questions differ in how near anything comes to them; the
 * nearest and the average file make them alike.
 */
export function meaningsOf(
  segments: readonly LiveSegment[],
  { scale }: PackedQuery,
  nearness: readonly Float32Array[],
): SegmentMeaning[] {
  let most = -Infinity;
  let sum = 0;
  let count = 0;
  for (const [at, { isLive, liveFiles }] of segments.entries()) {
    const near = nearness[at]!;
    for (let file = 0; file < near.length; file++) {
      if (isLive[file] === 0) continue;
      if (near[file]! > most) most = near[file]!;
      sum += near[file]!;
    }
    count += liveFiles;
  }
  const average = count === 0 ? 0 : sum / count;
  const range = Math.max(1e-6 / scale, most - average);
  return segments.map(({ reader }, at) => ({
    nearness: nearness[at]!,
    chunks: reader.vectors('chunkVectors').products,
    paths: reader.vectors('pathVectors').products,
    scale,
    average,
    range,
  }));
}

/** What the comparison says of one file. */
export function fileMeaning(
  { nearness, chunks, paths, scale, average, range }: SegmentMeaning,
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
    score: (nearness[file]! - average) / range,
    best: best * scale,
    second: second * scale,
    average: (sum * scale) / Math.max(1, end - first),
    path: paths[file]! * scale,
    bestChunk,
  };
}
