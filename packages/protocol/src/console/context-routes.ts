import type { ApiRoute } from '../api/api-route.ts';

/** Folders that are indexed, and questions about them. What goes in and out stands in `context-calls.ts`. */
export const CONTEXT_ROUTES = {
  listWorkspaces: {
    method: 'GET',
    path: '/api/workspaces',
    access: 'viewer',
    summary: 'The caller’s indexed folders, and how far each is.',
  },
  addWorkspace: {
    method: 'POST',
    path: '/api/workspaces',
    access: 'admin',
    summary: 'Indexes a folder of this machine; answered at once, the work goes on.',
  },
  removeWorkspace: {
    method: 'DELETE',
    path: '/api/workspaces/:workspaceId',
    access: 'member',
    summary: 'Forgets an indexed folder; its files stay.',
    slowMs: 60_000,
  },
  refreshWorkspace: {
    method: 'POST',
    path: '/api/workspaces/:workspaceId/refresh',
    access: 'member',
    summary: 'Looks at the files again; answered at once.',
  },
  listLeftOut: {
    method: 'GET',
    path: '/api/workspaces/:workspaceId/left-out',
    access: 'viewer',
    summary: 'What is not indexed, by reason, with examples.',
  },
  explainPath: {
    method: 'GET',
    path: '/api/workspaces/:workspaceId/explain',
    access: 'viewer',
    summary: 'Why a path is indexed or not, layer by layer.',
  },
  searchCode: {
    method: 'POST',
    path: '/api/workspaces/:workspaceId/search',
    access: 'viewer',
    summary: 'Answers a question with places, and says why each ranked.',
    slowMs: 120_000,
  },
  readCode: {
    method: 'GET',
    path: '/api/workspaces/:workspaceId/file',
    access: 'viewer',
    summary: 'An indexed file, with secrets masked.',
  },
} as const satisfies Record<string, ApiRoute>;
