import { DragomanError, type DragomanErrorCode, type DragomanErrorOptions } from '../dragoman-error.ts';

/** What a server refused or could not do, in its own words. */
export class HubError extends DragomanError {
  /** Under which the server's log has the details. */
  readonly requestId: string | undefined;
  /** It is not in the server's own form: something between answered in its place, such as a login page or a proxy. */
  readonly isForeign: boolean;

  constructor(
    code: DragomanErrorCode,
    message: string,
    options: DragomanErrorOptions & { requestId?: string | undefined; isForeign?: boolean } = {},
  ) {
    super(code, message, options);
    this.isForeign = options.isForeign ?? false;
    this.requestId = options.requestId;
  }
}

/** A batch whose first number leaves a gap behind what the hub has. The runner goes on behind `acked`. */
export class OutboxGapError extends DragomanError {
  readonly acked: number;

  constructor(acked: number, message = `The outbox goes on at ${acked + 1}; what was sent begins later.`) {
    super('conflict', message);
    this.acked = acked;
  }
}

/** An answer whose status is not good. */
export interface RefusedAnswer {
  /** Names the call, such as `POST /api/sessions`. */
  call: string;
  status: number;
  text: string;
  retryAfter?: string | null | undefined;
}

/** What a server says is shown to a person, but not at any length. */
const MAX_MESSAGE = 2_000;
/** For answers that are not the server's own, such as those of a proxy before it. */
const BY_STATUS: Readonly<Record<number, DragomanErrorCode>> = {
  400: 'bad-request',
  401: 'unauthenticated',
  403: 'forbidden',
  404: 'not-found',
  408: 'timed-out',
  409: 'conflict',
  413: 'too-large',
  415: 'unsupported-media',
  421: 'misdirected',
  429: 'rate-limited',
  499: 'cancelled',
  504: 'timed-out',
  507: 'disk-full',
};
/** What a proxy answers that reaches no server. */
const NO_SERVER: ReadonlySet<number> = new Set([502, 503, 504]);
const BY_PROXY = ' by the proxy before the server, which does not reach the server now.';
const BY_OTHER = ', and not by Dragoman; is the address right?';
/** What may pass by itself. */
const RETRYABLE: ReadonlySet<string> = new Set([
  'rate-limited',
  'timed-out',
  'unavailable',
  'disk-full',
  'database-unreachable',
  'cancelled',
]);

/** A server's refusal as the error it was there: its code and its words, and its request id to find it by. */
export function readHubError({ call, status, text, retryAfter }: RefusedAnswer): HubError | OutboxGapError {
  const body = parse(text);
  const said = record(body['error']);
  const fallback = BY_STATUS[status] ?? (status >= 500 ? 'unavailable' : 'bad-request');
  // The code is the server's even where this program is older and has no word for it.
  const code = typeof said['code'] === 'string' ? (said['code'] as DragomanErrorCode) : fallback;
  const message =
    typeof said['message'] === 'string'
      ? said['message'].slice(0, MAX_MESSAGE)
      : `${call} was answered with ${status}${NO_SERVER.has(status) ? BY_PROXY : BY_OTHER}`;
  if (code === 'conflict' && typeof body['acked'] === 'number') return new OutboxGapError(body['acked'], message);
  return new HubError(code, message, {
    isRetryable: RETRYABLE.has(code),
    ...readRetryAfter(retryAfter),
    isForeign: typeof said['code'] !== 'string' || typeof said['message'] !== 'string',
    requestId: typeof said['requestId'] === 'string' ? said['requestId'] : undefined,
  });
}

/** Seconds, or a date. */
function readRetryAfter(value: string | null | undefined): { retryAfterMs?: number } {
  if (value === null || value === undefined || value === '') return {};
  const seconds = Number(value);
  const ms = Number.isNaN(seconds) ? Date.parse(value) - Date.now() : seconds * 1000;
  return Number.isNaN(ms) ? {} : { retryAfterMs: Math.max(0, ms) };
}

function parse(text: string): Record<string, unknown> {
  try {
    return record(JSON.parse(text));
  } catch {
    return {};
  }
}

function record(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}
