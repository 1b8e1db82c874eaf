import { nearestOf } from '../rank/file-meaning.ts';
import type { VectorTable } from '../vectors/vector-table.ts';

/** What is scanned of a segment, and where it is written how near its files are. */
export interface ScannedSegment {
  chunks: VectorTable;
  paths: VectorTable;
  firstChunk: Uint32Array;
  nearness: Float32Array;
}

/** Compares a question with all of a segment. What it finds lies in the tables and in `nearness`. */
export function scanSegment({ chunks, paths, firstChunk, nearness }: ScannedSegment, question: Int8Array): void {
  nearestOf({ chunks: chunks.scan(question), paths: paths.scan(question), firstChunk }, nearness);
}
