import type { Store } from '@dragoman/server';
import type { SyncLog } from '../sync/pipeline/sync-log.ts';
import { HttpBlobServer } from '../sync/remote/http-blob-server.ts';
import { isDragoman } from '../sync/remote/is-dragoman.ts';
import { openWorkspaceSync, type SyncProgress, type WorkspaceSync } from '../sync/watch/workspace-sync.ts';
import { WorkspaceStore } from '../sync/workspace-store.ts';

export interface RemoteWorkspaceOptions {
  store: Store;
  userId: string;
  root: string;
  /** A server that speaks the Augment protocol: ours on another machine, or the official one. */
  url: string;
  token: string;
  log: SyncLog;
  watch: boolean;
  maxBlobBytes: number;
  extensions?: readonly string[] | undefined;
  onProgress?: (progress: SyncProgress) => void;
}

export interface RemoteWorkspace {
  sync: WorkspaceSync;
  /** Asks the server about the folder as it is now. */
  retrieve(query: string, maxLength?: number, signal?: AbortSignal): Promise<string>;
  close(): Promise<void>;
}

/** So many of the names that the server had are asked about when a workspace is opened. */
const ASKED_AGAIN = 20;

/** A folder here whose blobs are kept elsewhere. */
export async function openRemoteWorkspace(options: RemoteWorkspaceOptions): Promise<RemoteWorkspace> {
  const { store, url, token, ...rest } = options;
  const server = new HttpBlobServer({ baseUrl: url, token, isDragoman: await isDragoman(url) });
  const sync = await openWorkspaceSync({ ...rest, store: new WorkspaceStore(store), server, serverName: url });
  try {
    const some = [...sync.view().blobNames].slice(0, ASKED_AGAIN);
    // It may have lost what it had, or the token may be another user's: then everything is asked about anew.
    if (some.length > 0 && (await server.findMissing(some)).unknown.length > 0) sync.recheck();
  } catch (error) {
    await sync.stop();
    await server.close();
    throw error;
  }
  return {
    sync,
    async retrieve(query, maxLength, signal) {
      await sync.refresh(signal);
      const blobs = { checkpointId: null, added: [...sync.view().blobNames].sort(), deleted: [] };
      const { text } = await server.retrieve({ query, blobs, ...(maxLength !== undefined && { maxLength }) }, signal);
      return text;
    },
    async close() {
      await sync.stop();
      await server.close();
    },
  };
}
