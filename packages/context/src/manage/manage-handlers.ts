import type { ContextEngine } from '../routes/context-engine.ts';
import type { ManageHandlers } from '../routes/context-plugin.ts';
import type { LocalWorkspaces } from '../workspaces/local-workspaces.ts';
import { readCode, searchCode } from './code-handlers.ts';
import { explainPath, listLeftOut } from './left-out-handlers.ts';
import { addWorkspace, listWorkspaces, refreshWorkspace, removeWorkspace } from './workspace-handlers.ts';

/** What the calls about indexed folders stand on. */
export interface ManageParts {
  engine: ContextEngine;
  workspaces: LocalWorkspaces;
}

/** What answers the calls of `CONTEXT_ROUTES`, by their names. */
export function manageHandlers(parts: ManageParts): ManageHandlers {
  return {
    listWorkspaces: (request) => listWorkspaces(parts, request),
    addWorkspace: (request) => addWorkspace(parts, request),
    removeWorkspace: (request) => removeWorkspace(parts, request),
    refreshWorkspace: (request) => refreshWorkspace(parts, request),
    listLeftOut: (request) => listLeftOut(parts, request),
    explainPath: (request) => explainPath(parts, request),
    searchCode: (request) => searchCode(parts, request),
    readCode: (request) => readCode(parts, request),
  };
}
