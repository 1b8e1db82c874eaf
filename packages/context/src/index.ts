export type { Blob, BlobServer, MissingBlobs } from './blob-server.ts';
export type { BlobView } from './blob-view.ts';
export { type Context, type ContextOptions, openContext } from './open-context.ts';
export { blobName } from './sync/blob-name.ts';
export { explainPath } from './sync/walk/explain-path.ts';
export type { RejectionCount, SyncProgress, WorkspaceSync } from './sync/watch/workspace-sync.ts';
export { codebaseRetrievalTool, callCodebaseRetrieval } from './tool/codebase-retrieval-tool.ts';
export type { KnownWorkspace } from './workspaces/local-workspaces.ts';
