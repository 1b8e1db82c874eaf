import type { BlobServer } from '../../blob-server.ts';
import { DEFAULT_MAX_BLOB_BYTES } from '../../sync/filter/check-content.ts';
import type { CodeIndex } from '../code-index.ts';
import type { BlobStore } from './blob-store.ts';
import { namesUpToFirstRefusal, takeBlobs } from './take-blobs.ts';
import { tellStoreFailure } from './tell-store-failure.ts';

export interface LocalBlobServerParts {
  blobs: BlobStore;
  index: CodeIndex;
  /** The largest blob that is taken. */
  maxBlobBytes?: number;
}

const CANNOT_LOOK = 'What is stored cannot be looked at';
const CANNOT_STORE = 'Files cannot be stored';
const CANNOT_INDEX = 'Files cannot be indexed';

/** The blobs of one user in this process, for a sync that runs beside the store. */
export function localBlobServer({ blobs, index, maxBlobBytes }: LocalBlobServerParts, userId: string): BlobServer {
  return {
    findMissing: (blobNames) => tellStoreFailure(CANNOT_LOOK, () => blobs.missing(userId, blobNames)),
    async batchUpload(batch) {
      const entries = batch.map(({ blobName, path, content }) => ({ blob_name: blobName, path, content }));
      const { names, nonindexed } = await tellStoreFailure(CANNOT_STORE, () =>
        takeBlobs(blobs, userId, entries, maxBlobBytes),
      );
      // Stored is uploaded. What is wrong with the index is told to whoever waits for it.
      if (nonindexed.length > 0) await index.add(nonindexed).catch(() => {});
      return namesUpToFirstRefusal(names);
    },
    whenIndexed: (blobNames, signal) => tellStoreFailure(CANNOT_INDEX, () => index.whenIndexed(blobNames, signal)),
    maxBlobBytes: () => Promise.resolve(maxBlobBytes ?? DEFAULT_MAX_BLOB_BYTES),
  };
}
