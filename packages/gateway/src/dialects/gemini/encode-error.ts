import type { DragomanError, DragomanErrorCode } from '@dragoman/protocol';
import { HTTP_STATUS } from '@dragoman/server';
import { isJsonObject } from '../../tools/json-object.ts';

/** The words of google.rpc.Code. */
const STATUSES: Readonly<Record<DragomanErrorCode, string>> = {
  'bad-request': 'INVALID_ARGUMENT',
  'context-overflow': 'INVALID_ARGUMENT',
  'too-large': 'INVALID_ARGUMENT',
  'unsupported-media': 'INVALID_ARGUMENT',
  misdirected: 'INVALID_ARGUMENT',
  unauthenticated: 'UNAUTHENTICATED',
  forbidden: 'PERMISSION_DENIED',
  'not-found': 'NOT_FOUND',
  conflict: 'ABORTED',
  'rate-limited': 'RESOURCE_EXHAUSTED',
  'over-budget': 'RESOURCE_EXHAUSTED',
  cancelled: 'CANCELLED',
  'timed-out': 'DEADLINE_EXCEEDED',
  unavailable: 'UNAVAILABLE',
  'disk-full': 'UNAVAILABLE',
  'database-unreachable': 'UNAVAILABLE',
  'config-invalid': 'INTERNAL',
  'data-folder': 'INTERNAL',
  'database-newer': 'INTERNAL',
  'address-in-use': 'INTERNAL',
  internal: 'INTERNAL',
};

/**
 * The form of error that Google's clients read, as a body and in a stream. Those that try again go by the code, and wait as
 * long as RetryInfo says.
 */
export function encodeGeminiError(error: DragomanError): unknown {
  const { code, message, retryAfterMs } = error;
  return {
    error: {
      code: HTTP_STATUS[code],
      message,
      status: STATUSES[code],
      ...(retryAfterMs === undefined
        ? {}
        : {
            details: [{ '@type': 'type.googleapis.com/google.rpc.RetryInfo', retryDelay: `${retryAfterMs / 1000}s` }],
          }),
    },
  };
}

/** Whether a body is an error that Google's clients read. */
export function isGeminiError(body: unknown): boolean {
  if (!isJsonObject(body) || !isJsonObject(body['error'])) return false;
  const { code, message, status } = body['error'];
  return typeof code === 'number' && typeof message === 'string' && typeof status === 'string';
}
