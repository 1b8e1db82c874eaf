import type { DragomanError, DragomanErrorCode } from '@dragoman/protocol';

const TYPES: Partial<Record<DragomanErrorCode, string>> = {
  'bad-request': 'invalid_request_error',
  'too-large': 'invalid_request_error',
  'unsupported-media': 'invalid_request_error',
  'not-found': 'invalid_request_error',
  unauthenticated: 'authentication_error',
  forbidden: 'permission_error',
  'rate-limited': 'rate_limit_error',
};

/** The form of error that OpenAI's clients read. */
export function encodeOpenAiError(error: DragomanError): unknown {
  return {
    error: { message: error.message, type: TYPES[error.code] ?? 'server_error', param: null, code: error.code },
  };
}
