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
  '/indexed-commits/get-latest-blobset': {},
  '/indexed-commits/register-blobset': {},
};

/** Everything under these is quiet, too. */
export const QUIET_PREFIXES: readonly string[] = ['/user-secrets', '/github', '/remote-agents', '/settings'];

/** Context endpoints, which hybrid mode passes on to the official service. */
export const CONTEXT_ENDPOINTS: readonly string[] = [
  '/find-missing',
  '/batch-upload',
  '/checkpoint-blobs',
  '/agents/codebase-retrieval',
];
