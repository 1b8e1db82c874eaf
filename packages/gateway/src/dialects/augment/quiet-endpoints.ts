import type { Role } from '@dragoman/protocol';

/** Telemetry and the like: answered here, counted, and never passed on. */
export const BLOCKED_ENDPOINTS: Readonly<Record<string, unknown>> = {
  '/agents/list-remote-tools': { tools: [] },
  '/notifications/read': { notifications: [] },
  '/remote-agents/list-stream': {},
  '/record-session-events': {},
  '/client-metrics': {},
  '/report-error': {},
  '/report-feature-vector': {},
};

/** Calls that clients make and can do without: an answer that means "nothing here". */
export const QUIET_ENDPOINTS: Readonly<Record<string, unknown>> = {
  '/save-chat': {},
  '/notifications/mark-as-read': {},
  '/subscription-banner': {},
  '/settings/get-mcp-tenant-configs': {},
  '/settings/get-mcp-user-configs': {},
  '/settings/get-tenant-tool-permissions': {},
  '/client-completion-timelines': {},
  '/record-request-events': {},
  '/record-user-events': {},
  '/record-preference-sample': {},
  '/resolve-completions': {},
  '/resolve-edit': {},
  '/resolve-instruction': {},
  '/resolve-smart-paste': {},
  '/resolve-next-edit': {},
  '/resolve-chat-input-completion': {},
  '/chat-feedback': {},
  '/completion-feedback': {},
  '/next-edit-feedback': {},
  '/context-canvas/list': { canvases: [], next_page_token: '' },
  '/search-external-sources': { sources: [] },
  '/get-implicit-external-sources': { sources: [] },
  '/agents/check-tool-safety': { is_safe: false },
  '/next_edit_loc': {
    candidate_locations: [],
    unknown_blob_names: [],
    checkpoint_not_found: false,
    critical_errors: [],
  },
  '/get-credit-info': {},
  '/get-billing-summary': {},
};

/** Everything under these is quiet, too. */
export const QUIET_PREFIXES: readonly string[] = ['/user-secrets', '/github', '/remote-agents', '/settings'];

export interface ContextEndpoint {
  access: Role;
  /** The answer where this server keeps no context: one that has none is passed on in hybrid mode, and refused otherwise. */
  quiet?: unknown;
}

/** What the context engine answers. */
export const CONTEXT_ENDPOINTS: Readonly<Record<string, ContextEndpoint>> = {
  '/find-missing': { access: 'viewer' },
  '/batch-upload': { access: 'member' },
  '/checkpoint-blobs': { access: 'member' },
  '/agents/codebase-retrieval': { access: 'viewer' },
  '/indexed-commits/get-latest-blobset': { access: 'viewer', quiet: {} },
  '/indexed-commits/register-blobset': { access: 'member', quiet: {} },
};
