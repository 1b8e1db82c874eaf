import type { DragomanError, DragomanErrorCode } from '@dragoman/protocol';

/** How patient a turn is with a provider. */
export interface RetrySettings {
  /** How often a model call is tried again. */
  retries: number;
  /** The first wait; each later one is twice as long. */
  firstDelayMs: number;
  maxDelayMs: number;
}

/** Five more tries, within a minute or so. */
const DEFAULT_RETRY: RetrySettings = { retries: 5, firstDelayMs: 2_000, maxDelayMs: 30_000 };

/** What passes by itself. A wrong key or an unknown model does not. */
const PASSING: ReadonlySet<DragomanErrorCode> = new Set(['rate-limited', 'timed-out', 'unavailable']);

/** Longer than this nobody is made to wait, whatever the provider asks for. */
const LONGEST_ASKED_MS = 10 * 60_000;

/**
 * How long to wait before the call is tried again, or nothing: then it is not. `attempt` counts the tries that failed.
 * What the provider asks for is done; else the wait doubles, with some chance in it so that many do not come back at once.
 */
export function retryDelay(
  error: DragomanError,
  attempt: number,
  settings: RetrySettings = DEFAULT_RETRY,
  random: () => number = Math.random,
): number | undefined {
  if (!error.isRetryable || !PASSING.has(error.code) || attempt > settings.retries) return undefined;
  if (error.retryAfterMs !== undefined) return error.retryAfterMs <= LONGEST_ASKED_MS ? error.retryAfterMs : undefined;
  const doubled = settings.firstDelayMs * 2 ** (attempt - 1);
  return Math.min(settings.maxDelayMs, doubled * (1 + random() / 4));
}
