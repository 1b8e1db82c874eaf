/** What can go wrong, for programs to tell apart. A new code is a new line here, in the door's status table and in the command line's exit table. */
export type DragomanErrorCode =
  // A request or command that cannot be served as it was asked.
  | 'bad-request'
  | 'unauthenticated'
  | 'forbidden'
  | 'not-found'
  | 'conflict'
  | 'too-large'
  | 'unsupported-media'
  | 'misdirected'
  | 'rate-limited'
  | 'over-budget'
  | 'context-overflow'
  // Something did not happen in time, or was called off.
  | 'timed-out'
  | 'cancelled'
  | 'unavailable'
  | 'disk-full'
  // The program cannot start as it is set up.
  | 'config-invalid'
  | 'data-folder'
  | 'database-newer'
  | 'database-unreachable'
  | 'address-in-use'
  | 'internal';

export interface DragomanErrorOptions {
  cause?: unknown;
  /** True when the same call may succeed later without any change to it. */
  isRetryable?: boolean;
  /** How long to wait before trying again, where that is known. */
  retryAfterMs?: number;
}

/** Every failure that crosses a package boundary. `code` is for programs, `message` for people. */
export class DragomanError extends Error {
  override readonly name: string = 'DragomanError';
  readonly code: DragomanErrorCode;
  readonly isRetryable: boolean;
  readonly retryAfterMs: number | undefined;

  constructor(code: DragomanErrorCode, message: string, options: DragomanErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.isRetryable = options.isRetryable ?? false;
    this.retryAfterMs = options.retryAfterMs;
  }
}
