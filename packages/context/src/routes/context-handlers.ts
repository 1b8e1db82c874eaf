import { CONTEXT_ROUTES } from '@dragoman/protocol/routes';
import type { LocalWorkspaces } from '../workspaces/local-workspaces.ts';
import { batchUpload, checkpointBlobs, findMissing } from './blob-sync-handlers.ts';
import { latestBlobset, registerBlobset } from './blobset-handlers.ts';
import type { ContextEngine } from './context-engine.ts';
import type { ContextHandler, ContextHandlers, ManageHandlers } from './context-plugin.ts';
import { codebaseRetrieval } from './retrieval-handler.ts';
import { findSymbolInCode, searchCode, tellContext } from './search-handlers.ts';
import { workspaceContext } from './workspace-handler.ts';

/** What answers: the context endpoints of the Augment protocol, our own, and the calls about indexed folders. */
export function contextHandlers(engine: ContextEngine, workspaces: LocalWorkspaces): ContextHandlers {
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
    // Few clients speak it, and its library is large.
    '/mcp': async (request, reply) =>
      (await import('../mcp/answer-mcp.ts')).answerMcp({ engine, workspaces }, request, reply),
    ...lazyManageHandlers(engine, workspaces),
  };
}

/** Loaded with the first of their calls: clients that sync and ask have no use for them. */
function lazyManageHandlers(engine: ContextEngine, workspaces: LocalWorkspaces): ManageHandlers {
  let loaded: Promise<ManageHandlers> | undefined;
  const load = () =>
    (loaded ??= import('../manage/manage-handlers.ts').then(({ manageHandlers }) =>
      manageHandlers({ engine, workspaces }),
    ));
  const names = Object.keys(CONTEXT_ROUTES) as (keyof ManageHandlers)[];
  return Object.fromEntries(
    names.map((name): [string, ContextHandler] => [name, async (request) => (await load())[name](request)]),
  ) as ManageHandlers;
}
