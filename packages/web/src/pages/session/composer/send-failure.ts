import { DragomanError } from '@dragoman/protocol/error';

/** What can be done about a prompt that could not be sent. */
export type SendFailure =
  /** The server was not reached: it is sent by itself when it is. */
  | 'unreached'
  /** It was refused as it is; the same again is refused again. */
  | 'refused'
  | 'again';

const REFUSALS: ReadonlySet<string> = new Set([
  'bad-request',
  'unauthenticated',
  'forbidden',
  'not-found',
  'too-large',
  'unsupported-media',
]);

/** What can be done about a prompt that could not be sent. */
export function sendFailureOf(error: Error): SendFailure {
  if (!(error instanceof DragomanError)) return 'again';
  if (REFUSALS.has(error.code)) return 'refused';
  return error.isRetryable && (error.code === 'unavailable' || error.code === 'timed-out') ? 'unreached' : 'again';
}
