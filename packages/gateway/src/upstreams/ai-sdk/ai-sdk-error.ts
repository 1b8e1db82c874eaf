import { DragomanError, type DragomanErrorCode } from '@dragoman/protocol';
import { toConnectionError, toStreamError, toUpstreamError } from '../upstream-error.ts';

/** Errors that providers of the AI SDK throw before they ask anybody, by name: their classes are not ours to import. */
const CODES = new Map<string, DragomanErrorCode>([
  ['AI_LoadAPIKeyError', 'config-invalid'],
  ['AI_LoadSettingError', 'config-invalid'],
  ['AI_NoSuchModelError', 'not-found'],
  ['AI_UnsupportedFunctionalityError', 'bad-request'],
  ['AI_InvalidArgumentError', 'bad-request'],
  ['AI_InvalidPromptError', 'bad-request'],
]);

interface ApiCallError extends Error {
  statusCode?: number;
  responseBody?: string;
  responseHeaders?: Record<string, string>;
}

/** What an AI SDK provider threw, or put into its stream, as one of our errors. */
export function toAiSdkError(provider: string, error: unknown): DragomanError {
  if (error instanceof DragomanError) return error;
  if (!(error instanceof Error)) return toStreamError(error);
  const { statusCode, responseBody, responseHeaders, message, name, cause } = error as ApiCallError;
  // A good status with an error is an answer that the package could not read.
  if (statusCode !== undefined && statusCode >= 400) {
    const body = isText(responseBody) ? responseBody : message;
    return toUpstreamError(provider, { status: statusCode, body, headers: responseHeaders ?? {} });
  }
  const code = CODES.get(name);
  if (code !== undefined)
    return new DragomanError(code, `The provider "${provider}" cannot be used: ${message}`, { cause: error });
  if (statusCode !== undefined) {
    return new DragomanError('unavailable', `The answer of "${provider}" cannot be read: ${message}`, {
      cause: error,
      isRetryable: true,
    });
  }
  return toConnectionError(provider, name === 'AI_APICallError' && cause instanceof Error ? cause : error);
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}
