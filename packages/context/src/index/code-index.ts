import type { Blob } from '../blob-server.ts';
import type { BlobView } from '../blob-view.ts';
import type { RankReason } from './rank/explain-rank.ts';

/** A place the index found; its text is in the blob. */
export interface Hit {
  blobName: string;
  path: string;
  /** Lines, counted from 1, both inclusive: a whole definition where one fits. */
  start: number;
  end: number;
  symbol?: string;
  score: number;
  /** What spoke for it, where that was asked. */
  why?: RankReason[];
}

/** Finds places in blobs. What is stored, who may see it and what an answer looks like is decided by others. */
export interface CodeIndex {
  /** Takes blobs that are stored already. Resolves when it can take more, which is before they can be found. */
  add(blobs: readonly Blob[]): Promise<void>;
  /** Resolves when all of these can be found, or were given up. */
  whenIndexed(blobNames: readonly string[], signal?: AbortSignal): Promise<void>;
  /** Does what a question waits for, such as taking in what changed: vectors that are being made keep it only for a moment. */
  whileAsked<Result>(task: () => Promise<Result>): Promise<Result>;
  /** Has vectors made for what got none because they could not be had. Resolves when all is done, or they cannot be had now. */
  makeUp(signal?: AbortSignal): Promise<void>;
  /** Takes in what is stored and cannot be found, because a process ended too early or a disk was full. */
  indexLeftOver(): Promise<void>;
  /** Loads what a question about this view will need. */
  prepare(view: BlobView): Promise<void>;
  /**
   * At most one hit per file, best first. Waits for what of the view cannot be found yet. With `isExplained` each says why
   * it ranked.
   */
  search(
    view: BlobView,
    question: { query: string; limit: number; isExplained?: boolean },
    signal?: AbortSignal,
  ): Promise<Hit[]>;
  /** Where this name is defined, the main definition first. */
  findSymbol(view: BlobView, name: string, limit: number, signal?: AbortSignal): Promise<Hit[]>;
  /** Tells that these blobs are no longer stored. */
  forget(blobNames: readonly string[]): Promise<void>;
  /** Deletes files of the index that are not in force any more, and copies of what other servers made where they are too many. */
  sweepFiles(): Promise<void>;
  close(): Promise<void>;
}
