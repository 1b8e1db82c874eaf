/** How a server is doing. */
export type McpStatus =
  | { state: 'disabled' }
  | { state: 'connecting' }
  | { state: 'connected' }
  | { state: 'failed'; reason: string }
  /** `url` is where a person logs in, while a login is under way. */
  | { state: 'needs-login'; url?: string };

/** Why a server cannot be asked now, for the model, with what to do about it. */
export function describeAbsence(status: McpStatus): string {
  switch (status.state) {
    case 'disabled':
      return 'is switched off in the configuration. Go on without it.';
    case 'needs-login':
      return 'needs a person to log in first. Say so, and go on without it.';
    case 'failed':
      return `is not connected: ${status.reason}. It is being connected again; try later, or go on without it.`;
    case 'connecting':
    case 'connected':
      return 'is being connected and not ready yet. Try later, or go on without it.';
  }
}
