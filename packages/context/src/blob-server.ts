/** A file's content on its way to where it is indexed. */
export interface Blob {
  blobName: string;
  /** Relative to the workspace's root, with `/`. */
  path: string;
  content: string;
}

export interface MissingBlobs {
  /** Never uploaded by this user. */
  unknown: string[];
  /** Stored, but not to be found yet. */
  nonindexed: string[];
}

/**
 * What the sync beside the files needs of the place beside the store. Ours in the same process, ours on another
 * machine and the official service all look like this.
 */
export interface BlobServer {
  /** At most 1,000 names a call. */
  findMissing(blobNames: readonly string[], signal?: AbortSignal): Promise<MissingBlobs>;
  /** The names the server gave them, in the same order; shorter where it did not take them all. */
  batchUpload(blobs: readonly Blob[], signal?: AbortSignal): Promise<string[]>;
  /** Resolves when these can be found. A server that cannot tell is asked again after a while instead. */
  whenIndexed?(blobNames: readonly string[], signal?: AbortSignal): Promise<void>;
  /** The largest blob it takes, where it says so. */
  maxBlobBytes?(signal?: AbortSignal): Promise<number | undefined>;
}
