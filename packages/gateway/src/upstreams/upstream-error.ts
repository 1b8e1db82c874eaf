import { DragomanError, type DragomanErrorCode, type DragomanErrorOptions } from '@dragoman/protocol';
import { redactText } from '@dragoman/protocol/secrets';

/** What a provider says is shown to the client, but not at any length. */
const MAX_MESSAGE = 500;
const MAX_READ = 64 * 1024;

/** What a provider answered instead of an answer. */
export class ProviderRefusal extends DragomanError {
  readonly status: number;

  constructor(code: DragomanErrorCode, message: string, status: number, options: DragomanErrorOptions = {}) {
    super(code, message, options);
    this.status = status;
  }
}

/**
 * A provider's refusal, as one of our errors.
 *
 * A wrong key is ours to mend and no reason for the client to log in again, so it is not passed on as 401. What may
 * pass by itself is retryable, here at another target or later by the client.
 */
export function toUpstreamError(
  provider: string,
  status: number,
  body: string,
  headers: Readonly<Record<string, string | string[] | undefined>>,
): DragomanError {
  const reason = saidIn(body);
  const message = `The provider "${provider}" answered ${status}${reason === '' ? '' : `: ${reason}`}`;
  const refusal = (code: DragomanErrorCode, options?: DragomanErrorOptions) =>
    new ProviderRefusal(code, message, status, options);
  if (status === 401 || status === 403) return refusal('forbidden', { isRetryable: true });
  if (status === 404) return refusal('not-found', { isRetryable: true });
  if ((status === 400 || status === 413) && isTooLongPrompt(body)) return refusal('context-overflow');
  if (status === 413) return refusal('too-large');
  if (status === 429 || status === 529) return refusal('rate-limited', { isRetryable: true, ...askedWait(headers) });
  if (status === 408 || status === 504) return refusal('timed-out', { isRetryable: true });
  if (status >= 500) return refusal('unavailable', { isRetryable: true, ...askedWait(headers) });
  return refusal('bad-request');
}

/** What broke the way to a provider, or back from it. */
export function toConnectionError(provider: string, error: unknown): DragomanError {
  if (error instanceof DragomanError) return error;
  const { code, name, message } = (error ?? {}) as Partial<Error> & { code?: string };
  const options = { cause: error, isRetryable: true };
  if (name === 'TimeoutError')
    return new DragomanError('timed-out', `The provider "${provider}" took too long.`, options);
  if (name === 'AbortError') return new DragomanError('cancelled', 'The call was cancelled.', { cause: error });
  if (code === 'UND_ERR_CONNECT_TIMEOUT')
    return new DragomanError('timed-out', `The provider "${provider}" did not accept a connection in time.`, options);
  if (code === 'UND_ERR_HEADERS_TIMEOUT')
    return new DragomanError('timed-out', `The provider "${provider}" did not begin to answer in time.`, options);
  if (code === 'UND_ERR_BODY_TIMEOUT')
    return new DragomanError('timed-out', `The provider "${provider}" stopped in the middle of its answer.`, options);
  return new DragomanError(
    'unavailable',
    `The provider "${provider}" cannot be reached: ${code ?? message ?? 'no reason given'}`,
    options,
  );
}

/** An answer that broke while it was being read. */
export function toBrokenAnswer(provider: string, error: unknown): DragomanError {
  const known = toConnectionError(provider, error);
  if (known === error || known.code !== 'unavailable') return known;
  return new DragomanError('unavailable', `The answer of the provider "${provider}" broke off.`, {
    cause: error,
    isRetryable: true,
  });
}

/** An error that arrived inside a stream, in any provider's form. */
export function toStreamError(error: unknown): DragomanError {
  const reason = describe(error);
  const kind = `${field(error, 'type')} ${field(error, 'code')} ${field(error, 'status')}`;
  if (/rate.?limit|429|resource_exhausted/i.test(kind))
    return new DragomanError('rate-limited', `The provider stopped: ${reason}`, { isRetryable: true });
  if (/authentication|permission/i.test(kind))
    return new DragomanError('forbidden', `The provider stopped: ${reason}`, { isRetryable: true });
  if (/context_length/i.test(kind) || (/invalid|400/i.test(kind) && isTooLongPrompt(reason)))
    return new DragomanError('context-overflow', `The provider stopped: ${reason}`);
  if (/invalid|400|too_large/i.test(kind)) return new DragomanError('bad-request', `The provider stopped: ${reason}`);
  return new DragomanError('unavailable', `The provider stopped: ${reason}`, { isRetryable: true });
}

/** The answer ended before it was complete. */
export function brokenOff(): DragomanError {
  return new DragomanError('unavailable', "The provider's answer broke off.", { isRetryable: true });
}

function saidIn(body: string): string {
  try {
    const parsed: unknown = JSON.parse(body);
    const first: unknown = Array.isArray(parsed) ? parsed[0] : parsed;
    return describe((first as { error?: unknown } | null)?.error ?? first);
  } catch {
    return body
      .replace(/<[^<>]*>/g, ' ')
      .replace(/\s+/g, ' ')
      .trim()
      .slice(0, MAX_MESSAGE);
  }
}

/** Cut after secrets were taken out: half a secret is not known for one. */
function describe(error: unknown): string {
  return redactText(said(error).slice(0, MAX_READ)).text.slice(0, MAX_MESSAGE);
}

function said(error: unknown): string {
  if (typeof error === 'string') return error;
  return field(error, 'message') || field(error, 'detail') || field(error, 'type') || 'no reason given';
}

function field(value: unknown, name: string): string {
  const found = typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined;
  return typeof found === 'string' || typeof found === 'number' ? String(found) : '';
}

/**
 * Whether a refusal says that the prompt is longer than the model takes. OpenAI has a code for it; the others say it in
 * words that have stayed the same for years.
 */
function isTooLongPrompt(body: string): boolean {
  return /context_length_exceeded|prompt is too long|maximum context length|input token count.{0,40}exceeds|exceeds? the (?:maximum|available) context|context (?:size|window)[^.]{0,40}exceed/i.test(
    body,
  );
}

/** How long the provider asks to wait: milliseconds in a header of their own, or seconds, or a date. */
function askedWait(headers: Readonly<Record<string, string | string[] | undefined>>): { retryAfterMs?: number } {
  const exact = Number(headers['retry-after-ms'] ?? Number.NaN);
  if (!Number.isNaN(exact)) return { retryAfterMs: Math.max(0, exact) };
  const value = headers['retry-after'];
  if (typeof value !== 'string') return {};
  const seconds = Number(value);
  const ms = Number.isNaN(seconds) ? Date.parse(value) - Date.now() : seconds * 1000;
  return Number.isNaN(ms) ? {} : { retryAfterMs: Math.max(0, ms) };
}
