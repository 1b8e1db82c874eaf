import type { DragomanError, DragomanErrorCode } from '@dragoman/protocol';
import { isJsonObject } from '../../tools/json-object.ts';
import { toldInStream } from '../told-in-stream.ts';

const TYPES: Partial<Record<DragomanErrorCode, string>> = {
  'bad-request': 'invalid_request_error',
  'context-overflow': 'invalid_request_error',
  'too-large': 'invalid_request_error',
  'unsupported-media': 'invalid_request_error',
  'not-found': 'invalid_request_error',
  unauthenticated: 'authentication_error',
  forbidden: 'permission_error',
  'rate-limited': 'rate_limit_error',
  'over-budget': 'insufficient_quota',
};

/** What clients act on by name. The others keep the names that they have here. */
const CODES: Partial<Record<DragomanErrorCode, string>> = {
  'context-overflow': 'context_length_exceeded',
  'rate-limited': 'rate_limit_exceeded',
};

/** Words by which clients know that a conversation has grown too long. */
const OVERFLOW = 'Your input exceeds the context window';

export interface OpenAiError {
  error: { message: string; type: string; param: null; code: string };
}

/** The form of error that OpenAI's clients read. */
export function encodeOpenAiError(error: DragomanError): OpenAiError {
  return toOpenAiError(error, error.message);
}

/** The same inside a stream. */
export function encodeOpenAiStreamError(error: DragomanError): OpenAiError {
  return toOpenAiError(error, toldInStream(error));
}

/** Whether a body is an error that OpenAI's clients read. */
export function isOpenAiError(body: unknown): boolean {
  return isJsonObject(body) && isJsonObject(body['error']) && typeof body['error']['message'] === 'string';
}

function toOpenAiError({ code }: DragomanError, said: string): OpenAiError {
  const isUntold = code === 'context-overflow' && !said.includes('exceeds the context window');
  const message = isUntold ? `${OVERFLOW}, the maximum context length of this model: ${said}` : said;
  return { error: { message, type: TYPES[code] ?? 'server_error', param: null, code: CODES[code] ?? code } };
}
