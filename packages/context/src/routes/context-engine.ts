import type { BlobView } from '../blob-view.ts';
import type { BlobStore } from '../index/blobs/blob-store.ts';
import type { BlobsetStore } from '../index/checkpoints/blobset-store.ts';
import type { CheckpointStore } from '../index/checkpoints/checkpoint-store.ts';
import type { CodeIndex } from '../index/code-index.ts';
import type { CommitSearch } from '../index/commits/commit-search.ts';

/** What the routes stand on. */
export interface ContextEngine {
  blobs: BlobStore;
  checkpoints: CheckpointStore;
  blobsets: BlobsetStore;
  index: CodeIndex;
  commits: CommitSearch;
  /** A user's folders that are kept in step, here or by servers that share the store, the one used last first. */
  workspaces(userId: string): Promise<readonly AskedWorkspace[]>;
  /** How long an upload waits for its blobs to be indexed; 8 s unless given. */
  indexWaitMs?: number;
  /** The largest blob that is taken; see `DEFAULT_MAX_BLOB_BYTES`. */
  maxBlobBytes?: number;
  /** Only files with these are indexed, where given. */
  extensions?: readonly string[] | undefined;
  /** The configured model that code and questions are sent to, by its name; undefined where the built-in vectors are used. */
  embeddingModel?: string | undefined;
}

export interface AskedWorkspace {
  id: string;
  name: string;
  /** Absolute. */
  root: string;
  /** Whether the folder is on this machine. */
  isHere: boolean;
  /** Its files as they are now, or as they were last synced where it is on another machine. */
  view(signal?: AbortSignal): Promise<BlobView>;
}
