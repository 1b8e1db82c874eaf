import type { SharedTable } from '../vectors/vector-table.ts';

/** A segment as the thread that scans knows it; what is large lies in memory that both threads see. */
export interface SharedSegment {
  id: number;
  chunks: SharedTable;
  paths: SharedTable;
  firstChunk: Uint32Array;
  nearness: Float32Array;
}

/** What the thread that scans is told. */
export type ScanMessage =
  | { know: SharedSegment }
  | { forget: number }
  /** Segments to compare with the question, each a piece of the round. */
  | { round: number; segments: readonly number[]; question: Int8Array };
