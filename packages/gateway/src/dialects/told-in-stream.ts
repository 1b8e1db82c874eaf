import type { DragomanError, DragomanErrorCode } from '@dragoman/protocol';

/** What clients look for in the text of an error. */
const KNOWN = /overloaded|rate limit|server error|connection error|network error|timed out|terminated/i;

/** What stands before the text of an error that has none of it. */
const WORDS: Partial<Record<DragomanErrorCode, string>> = {
  unavailable: 'Server error',
  'timed-out': 'Timed out',
  'rate-limited': 'Rate limit',
};

/**
 * The text of an error that ends a stream. The status is sent by then, so clients decide by words whether they ask again; an
 * error that may pass has such words.
 */
export function toldInStream({ code, message, isRetryable }: DragomanError): string {
  const words = isRetryable && !KNOWN.test(message) ? WORDS[code] : undefined;
  return words === undefined ? message : `${words}: ${message}`;
}
