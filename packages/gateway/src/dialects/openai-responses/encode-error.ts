import type { DragomanError, DragomanErrorCode } from '@dragoman/protocol';
import { encodeOpenAiStreamError } from '../openai-chat/encode-error.ts';

/** The few codes that a failed response knows. */
const FAILURES: Partial<Record<DragomanErrorCode, string>> = {
  'rate-limited': 'rate_limit_exceeded',
  'context-overflow': 'context_length_exceeded',
  'bad-request': 'invalid_prompt',
  'too-large': 'invalid_prompt',
};

/** Why a response failed, inside the response. */
export function toResponseError(error: DragomanError): { code: string; message: string } {
  const { message } = encodeOpenAiStreamError(error).error;
  return { code: FAILURES[error.code] ?? 'server_error', message };
}

/** Documented as fields of the event; sent by OpenAI as an object inside it. Clients read one or the other. */
export function toErrorEvent(error: DragomanError): object {
  const { code, message } = toResponseError(error);
  return { code, message, param: null, error: { ...encodeOpenAiStreamError(error).error, code } };
}
