import { DragomanError, type DragomanErrorCode, type DragomanErrorOptions } from '@dragoman/protocol';
import { redactText } from '@dragoman/protocol/secrets';
import type { UpstreamKind } from '../config/gateway-config.ts';
import { ownValue, parseJson } from '../tools/json-object.ts';

/** What a provider says is shown to the client, but not at any length. */
const MAX_MESSAGE = 500;
const MAX_READ = 64 * 1024;
/** With which services refuse a prompt that is too long. */
const OVERFLOW_STATUSES: ReadonlySet<number> = new Set([400, 413, 422, 500]);

/** A refusal as it came: its headers, and as much of its body as was read. */
export interface Refusal {
  /** What the provider speaks, where it was asked over HTTP. */
  protocol?: UpstreamKind;
  status: number;
  body: string;
  headers: Readonly<Record<string, string>>;
}

/** What a provider answered instead of an answer. */
export class ProviderRefusal extends DragomanError {
  readonly status: number;
  /** Not for the log, which takes every field of an error. */
  readonly #refusal: Refusal;

  constructor(code: DragomanErrorCode, message: string, refusal: Refusal, options: DragomanErrorOptions = {}) {
    super(code, message, options);
    this.status = refusal.status;
    this.#refusal = refusal;
  }

  /** What was said to whom. A client that speaks the provider's protocol reads it as it is. */
  get refusal(): Refusal {
    return this.#refusal;
  }
}

/** Whether a provider has too much to do. */
export function isOverload(error: DragomanError): boolean {
  return error instanceof ProviderRefusal && (error.status === 503 || error.status === 529);
}

/**
 * A provider's refusal, as one of our errors.
 *
 * A wrong key is ours to mend and no reason for the client to log in again, so it is not passed on as 401. What may
 * pass by itself is retryable, here at another target or later by the client.
 */
export function toUpstreamError(provider: string, answered: Refusal): DragomanError {
  const { status, body } = answered;
  const reason = saidIn(body);
  const message = `The provider "${provider}" answered ${status}${reason === '' ? '' : `: ${reason}`}`;
  const refusal = (code: DragomanErrorCode, options?: DragomanErrorOptions) =>
    new ProviderRefusal(code, message, answered, options);
  if (status === 401 || status === 403) return refusal('forbidden', { isRetryable: true });
  if (status === 404) return refusal('not-found', { isRetryable: true });
  if (OVERFLOW_STATUSES.has(status) && isTooLongPrompt(body)) return refusal('context-overflow');
  if (status === 413) return refusal('too-large');
  if (status === 429) return refusal('rate-limited', { isRetryable: true, ...askedWait(answered) });
  if (status === 408 || status === 504) return refusal('timed-out', { isRetryable: true });
  if (status >= 500) return refusal('unavailable', { isRetryable: true, ...askedWait(answered) });
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

/** An answer that broke while it was being read, in words that clients know for a reason to ask again. */
export function toBrokenAnswer(provider: string, error: unknown): DragomanError {
  const known = toConnectionError(provider, error);
  if (known === error || known.code !== 'unavailable') return known;
  return new DragomanError(
    'unavailable',
    `Connection error: the answer of the provider "${provider}" was terminated in the middle (connection reset).`,
    { cause: error, isRetryable: true },
  );
}

/** An error that arrived inside a stream, in any provider's form. */
export function toStreamError(error: unknown): DragomanError {
  const reason = describe(error);
  const kind = `${field(error, 'type')} ${field(error, 'code')} ${field(error, 'status')}`;
  if (/rate.?limit|429|resource_exhausted/i.test(kind))
    return new DragomanError('rate-limited', `The provider stopped: ${reason}`, { isRetryable: true });
  if (/authentication|permission/i.test(kind))
    return new DragomanError('forbidden', `The provider stopped: ${reason}`, { isRetryable: true });
  if (/context_length|context_size/i.test(kind) || (/invalid|400/i.test(kind) && isTooLongPrompt(reason)))
    return new DragomanError('context-overflow', `The provider stopped: ${reason}`);
  if (/invalid|400|too_large/i.test(kind)) return new DragomanError('bad-request', `The provider stopped: ${reason}`);
  return new DragomanError('unavailable', `The provider stopped: ${reason}`, { isRetryable: true });
}

/** The answer ended before it was complete. */
export function brokenOff(): DragomanError {
  return new DragomanError(
    'unavailable',
    "Connection error: the provider's answer was terminated before its end (premature close).",
    { isRetryable: true },
  );
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
 * How services say that a prompt is longer than the model takes. OpenAI has a code for it; the others say it in words that
 * have stayed the same for years.
 */
const TOO_LONG = [
  'context_length_exceeded|context length exceeded|exceed_context_size|model_context_window_exceeded', // OpenAI and others.
  'prompt (?:is )?too long|input is too long for requested model|input length and .{0,20}exceed context limit', // Anthropic, Bedrock, Ollama.
  'input token count.{0,40}exceeds', // Gemini.
  "maximum context length|longer than the model'?s context length|greater than the context length", // vLLM, Together, LM Studio.
  'maximum prompt length is|reduce the length of the (?:messages|prompt)|tokens in the prompt exceeds', // xAI, Groq, Mistral.
  'exceeds? the (?:maximum|available) context|context (?:size|window|length)[^.]{0,40}exceed|exceeds? the context', // llama.cpp, MiniMax.
  'exceeded model token limit|maximum allowed input length|prompt token count of .{0,20}exceeds|range of input length should be', // Kimi, Poolside, Copilot, Qwen.
];
const TOO_LONG_PROMPT = new RegExp(TOO_LONG.join('|'), 'i');

/** Whether a refusal says that the prompt is longer than the model takes. */
function isTooLongPrompt(body: string): boolean {
  return TOO_LONG_PROMPT.test(body);
}

/**
 * How long the provider asks to wait: milliseconds in a header of their own, or seconds, or a date. Google says it in the body.
 */
function askedWait({ headers, body }: Refusal): { retryAfterMs?: number } {
  const exact = Number(headers['retry-after-ms'] ?? Number.NaN);
  if (!Number.isNaN(exact)) return { retryAfterMs: Math.max(0, exact) };
  const value = headers['retry-after'];
  if (value === undefined) return retryInfo(body);
  const seconds = Number(value);
  const ms = Number.isNaN(seconds) ? Date.parse(value) - Date.now() : seconds * 1000;
  return Number.isNaN(ms) ? {} : { retryAfterMs: Math.max(0, ms) };
}

/** A detail of Google's errors: `{ "@type": "type.googleapis.com/google.rpc.RetryInfo", "retryDelay": "7.5s" }`. */
function retryInfo(body: string): { retryAfterMs?: number } {
  if (!body.includes('google.rpc.RetryInfo')) return {};
  const parsed = parseJson(body);
  const details = ownValue(ownValue(Array.isArray(parsed) ? parsed[0] : parsed, 'error'), 'details');
  for (const detail of Array.isArray(details) ? details : []) {
    const delay = ownValue(detail, '@type') === RETRY_INFO ? ownValue(detail, 'retryDelay') : undefined;
    const seconds = typeof delay === 'string' ? /^(\d{1,9}(?:\.\d{1,9})?)s$/.exec(delay)?.[1] : undefined;
    if (seconds !== undefined) return { retryAfterMs: Math.ceil(Number(seconds) * 1000) };
  }
  return {};
}

const RETRY_INFO = 'type.googleapis.com/google.rpc.RetryInfo';
