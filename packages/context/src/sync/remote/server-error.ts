import { DragomanError } from '@dragoman/protocol/error';

/** What a server says is shown to the person, but not at any length. */
const MAX_MESSAGE = 300;

/** A server's refusal, as one of our errors. What may pass by itself is retryable. */
export function toServerError(
  call: string,
  status: number,
  body: string,
  retryAfter: string | undefined,
): DragomanError {
  const reason = saidIn(body);
  const message = `${call} answered ${status}${reason === '' ? '' : `: ${reason}`}`;
  if (status === 401)
    return new DragomanError(
      'unauthenticated',
      `The token was not accepted; check it, or make a new one. (${message})`,
    );
  if (status === 403) return new DragomanError('forbidden', message);
  if (status === 404) return new DragomanError('not-found', message);
  if (status === 413) return new DragomanError('too-large', message);
  const options = { isRetryable: true, ...parseRetryAfter(retryAfter) };
  if (status === 429 || status === 529) return new DragomanError('rate-limited', message, options);
  if (status === 408 || status === 504) return new DragomanError('timed-out', message, options);
  if (status === 499 || status >= 500) return new DragomanError('unavailable', message, options);
  return new DragomanError('bad-request', message);
}

/** What broke the way to a server, or back from it. */
export function toConnectionError(call: string, error: unknown): DragomanError {
  if (error instanceof DragomanError) return error;
  const { code, message } = (error ?? {}) as Partial<Error> & { code?: string };
  return new DragomanError('unavailable', `${call} could not be reached: ${code ?? message ?? 'no reason given'}.`, {
    cause: error,
    isRetryable: true,
  });
}

function saidIn(body: string): string {
  return readMessage(body).replaceAll(/\s+/g, ' ').trim().slice(0, MAX_MESSAGE);
}

/** `{"error":{"message":…}}`, `{"error":…}`, `{"message":…}`, or a page. */
function readMessage(body: string): string {
  try {
    const parsed: unknown = JSON.parse(body);
    const error = field(parsed, 'error') ?? parsed;
    const said = typeof error === 'string' ? error : (field(error, 'message') ?? field(error, 'detail'));
    return typeof said === 'string' ? said : '';
  } catch {
    return body.replaceAll(/<[^<>]*>/g, ' ');
  }
}

function field(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined;
}

/** Seconds, or a date. */
function parseRetryAfter(value: string | undefined): { retryAfterMs?: number } {
  if (value === undefined) return {};
  const seconds = Number(value);
  const ms = Number.isNaN(seconds) ? Date.parse(value) - Date.now() : seconds * 1000;
  return Number.isNaN(ms) ? {} : { retryAfterMs: Math.max(0, ms) };
}
