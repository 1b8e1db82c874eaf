import { DragomanError, type DragomanErrorCode } from '@dragoman/protocol';

/** What the process ends with, so that a script can tell what to do next. */
export const EXIT_CODES = {
  done: 0,
  failed: 1,
  wrongUsage: 2,
  wrongConfiguration: 3,
  cannotStart: 4,
} as const;

export type ExitCode = (typeof EXIT_CODES)[keyof typeof EXIT_CODES];

const BY_ERROR: Record<DragomanErrorCode, ExitCode> = {
  'bad-request': EXIT_CODES.wrongUsage,
  unauthenticated: EXIT_CODES.failed,
  forbidden: EXIT_CODES.failed,
  'not-found': EXIT_CODES.failed,
  conflict: EXIT_CODES.failed,
  'too-large': EXIT_CODES.failed,
  'unsupported-media': EXIT_CODES.failed,
  misdirected: EXIT_CODES.failed,
  'rate-limited': EXIT_CODES.failed,
  'over-budget': EXIT_CODES.failed,
  'context-overflow': EXIT_CODES.failed,
  'timed-out': EXIT_CODES.failed,
  cancelled: EXIT_CODES.failed,
  unavailable: EXIT_CODES.failed,
  'config-invalid': EXIT_CODES.wrongConfiguration,
  'data-folder': EXIT_CODES.cannotStart,
  'database-newer': EXIT_CODES.cannotStart,
  'disk-full': EXIT_CODES.failed,
  'database-unreachable': EXIT_CODES.cannotStart,
  'address-in-use': EXIT_CODES.cannotStart,
  internal: EXIT_CODES.failed,
};

export function exitCodeOf(error: unknown): ExitCode {
  return error instanceof DragomanError ? BY_ERROR[error.code] : EXIT_CODES.failed;
}
