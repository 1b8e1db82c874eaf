import type { Blob } from '../blob-server.ts';
import type { BlobView } from '../blob-view.ts';

/** A place the index found; its text is in the blob. */
export interface Hit {
  blobName: string;
  path: string;
  /** Lines, counted from 1, both inclusive: a whole definition where one fits. */
  start: number;
  end: number;
  symbol?: string;
  score: number;
}

/** Finds places in blobs. What is stored, who may see it and what an answer looks like is decided by others. */
export interface CodeIndex {
  /** Takes blobs that are stored already. Resolves when it can take more, which is before they can be found. */
  add(blobs: readonly Blob[]): Promise<void>;
  /** Resolves when all of these can be found, or were given up. */
  whenIndexed(blobNames: readonly string[], signal?: AbortSignal): Promise<void>;
  /** Takes in what is stored and cannot be found, because a process ended too early or a disk was full. */
  indexLeftOver(): Promise<void>;
  /** Loads what a question about this view will need. */
  prepare(view: BlobView): Promise<void>;
  /** At most one hit per file, best first. Waits for what of the view cannot be found yet. */
  search(view: BlobView, question: { query: string; limit: number }, signal?: AbortSignal): Promise<Hit[]>;
  /** Where this name is defined, the main definition first. */
  findSymbol(view: BlobView, name: string, limit: number, signal?: AbortSignal): Promise<Hit[]>;
  /** Tells that these blobs are no longer stored. */
  forget(blobNames: readonly string[]): Promise<void>;
  close(): Promise<void>;
}
