import type { BlobServer } from '../../blob-server.ts';
import { DEFAULT_MAX_BLOB_BYTES } from '../../sync/blob-name.ts';
import type { CodeIndex } from '../code-index.ts';
import type { BlobStore } from './blob-store.ts';
import { namesUpToFirstRefusal, takeBlobs } from './take-blobs.ts';

export interface LocalBlobServerParts {
  blobs: BlobStore;
  index: CodeIndex;
  /** The largest blob that is taken. */
  maxBlobBytes?: number;
}

/** The blobs of one user in this process, for a sync that runs beside the store. */
export function localBlobServer({ blobs, index, maxBlobBytes }: LocalBlobServerParts, userId: string): BlobServer {
  return {
    findMissing: (blobNames) => blobs.missing(userId, blobNames),
    async batchUpload(batch) {
      const entries = batch.map(({ blobName, path, content }) => ({ blob_name: blobName, path, content }));
      const { names, nonindexed } = await takeBlobs(blobs, userId, entries, maxBlobBytes);
      if (nonindexed.length > 0) await index.add(nonindexed);
      return namesUpToFirstRefusal(names);
    },
    whenIndexed: (blobNames, signal) => index.whenIndexed(blobNames, signal),
    maxBlobBytes: () => Promise.resolve(maxBlobBytes ?? DEFAULT_MAX_BLOB_BYTES),
  };
}
