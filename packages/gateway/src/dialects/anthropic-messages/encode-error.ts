import type { DragomanError, DragomanErrorCode } from '@dragoman/protocol';
import { isJsonObject } from '../../tools/json-object.ts';
import { isOverload } from '../../upstreams/upstream-error.ts';
import { toldInStream } from '../told-in-stream.ts';
import { ThreadRefusal } from './thread-refusal.ts';

const TYPES: Partial<Record<DragomanErrorCode, string>> = {
  'bad-request': 'invalid_request_error',
  'context-overflow': 'invalid_request_error',
  'unsupported-media': 'invalid_request_error',
  conflict: 'invalid_request_error',
  misdirected: 'invalid_request_error',
  unauthenticated: 'authentication_error',
  forbidden: 'permission_error',
  'not-found': 'not_found_error',
  'too-large': 'request_too_large',
  'rate-limited': 'rate_limit_error',
  'over-budget': 'billing_error',
  'timed-out': 'timeout_error',
};

const OVERLOADED = 'overloaded_error';
/** The status that only this protocol has. */
const OVERLOADED_STATUS = 529;
/** Words by which clients know that a conversation has grown too long. */
const OVERFLOW = 'prompt is too long';

/** The form of error that Anthropic's clients read. */
export function encodeAnthropicError(error: DragomanError): unknown {
  return toAnthropicError(error, isOverload(error) ? OVERLOADED : TYPES[error.code], error.message);
}

/** The same inside a stream, where clients ask again after an overload and after nothing else. */
export function encodeAnthropicStreamError(error: DragomanError): unknown {
  return toAnthropicError(error, error.code === 'unavailable' ? OVERLOADED : TYPES[error.code], toldInStream(error));
}

/** The status that this protocol has for an error, where it is one of its own. */
export function anthropicStatus(error: DragomanError): number | undefined {
  return isOverload(error) ? OVERLOADED_STATUS : undefined;
}

/** Whether a body is an error that Anthropic's clients read. */
export function isAnthropicError(body: unknown): boolean {
  if (!isJsonObject(body) || body['type'] !== 'error' || !isJsonObject(body['error'])) return false;
  const { type, message } = body['error'];
  return typeof type === 'string' && typeof message === 'string';
}

function toAnthropicError(error: DragomanError, type: string | undefined, said: string): unknown {
  const isUntold = error.code === 'context-overflow' && !said.toLowerCase().includes(OVERFLOW);
  return {
    type: 'error',
    error: {
      type: type ?? 'api_error',
      message: isUntold ? `${OVERFLOW}: ${said}` : said,
      ...(error instanceof ThreadRefusal ? { details: error.details } : {}),
    },
  };
}
