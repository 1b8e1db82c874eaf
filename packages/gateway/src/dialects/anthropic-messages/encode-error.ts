import type { DragomanError, DragomanErrorCode } from '@dragoman/protocol';

const TYPES: Partial<Record<DragomanErrorCode, string>> = {
  'bad-request': 'invalid_request_error',
  'unsupported-media': 'invalid_request_error',
  conflict: 'invalid_request_error',
  misdirected: 'invalid_request_error',
  unauthenticated: 'authentication_error',
  forbidden: 'permission_error',
  'not-found': 'not_found_error',
  'too-large': 'request_too_large',
  'rate-limited': 'rate_limit_error',
  'timed-out': 'timeout_error',
  unavailable: 'overloaded_error',
};

/** The form of error that Anthropic's clients read, as a body and as an event. */
export function encodeAnthropicError(error: DragomanError): unknown {
  return { type: 'error', error: { type: TYPES[error.code] ?? 'api_error', message: error.message } };
}
