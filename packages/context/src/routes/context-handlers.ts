import { batchUpload, checkpointBlobs, findMissing } from './blob-sync-handlers.ts';
import { latestBlobset, registerBlobset } from './blobset-handlers.ts';
import type { ContextEngine } from './context-engine.ts';
import type { ContextHandlers } from './context-plugin.ts';
import { codebaseRetrieval } from './retrieval-handler.ts';
import { findSymbolInCode, searchCode, tellContext } from './search-handlers.ts';
import { workspaceContext } from './workspace-handler.ts';

/** What answers, by path: the context endpoints of the Augment protocol and our own. */
export function contextHandlers(engine: ContextEngine): ContextHandlers {
  return {
    '/find-missing': (request) => findMissing(engine, request),
    '/batch-upload': (request) => batchUpload(engine, request),
    '/checkpoint-blobs': (request) => checkpointBlobs(engine, request),
    '/agents/codebase-retrieval': (request) => codebaseRetrieval(engine, request),
    '/indexed-commits/get-latest-blobset': (request) => latestBlobset(engine, request),
    '/indexed-commits/register-blobset': (request) => registerBlobset(engine, request),
    '/search': (request) => searchCode(engine, request),
    '/codebase_search': (request) => searchCode(engine, request),
    '/find_symbol': (request) => findSymbolInCode(engine, request),
    '/context': (request) => tellContext(engine, request),
    '/workspace_context': (request) => workspaceContext(engine, request),
  };
}
