import { DragomanError } from '@dragoman/protocol';

/** The clock of a piece of work. */
export interface TimeLimit {
  /** Fires when the time is over or an outer signal fires. */
  signal: AbortSignal;
  /** Gives the work that long from now on, in place of what it had. */
  allow(ms: number, message: string): void;
}

/**
 * Runs work that ends when its time is over or one of the signals says so. It then rejects with that reason at once,
 * whatever the work itself makes of it.
 */
export async function withTimeLimit<Result>(
  signals: readonly (AbortSignal | undefined)[],
  work: (limit: TimeLimit) => Promise<Result>,
): Promise<Result> {
  const ending = new AbortController();
  const { promise: givenUp, reject } = Promise.withResolvers<never>();
  givenUp.catch(() => {}); // The work may never come to be.
  const end = (error: DragomanError) => {
    reject(error);
    ending.abort(error);
  };
  const leave = () => end(new DragomanError('cancelled', 'The call was cancelled.'));
  let timer: NodeJS.Timeout | undefined;
  const allow = (ms: number, message: string) => {
    clearTimeout(timer);
    timer = setTimeout(() => end(new DragomanError('timed-out', message, { isRetryable: true })), ms);
  };
  for (const signal of signals) signal?.addEventListener('abort', leave);
  try {
    if (signals.some((signal) => signal?.aborted === true)) leave();
    ending.signal.throwIfAborted();
    return await Promise.race([work({ signal: ending.signal, allow }), givenUp]);
  } catch (error) {
    throw ending.signal.aborted ? ending.signal.reason : error;
  } finally {
    clearTimeout(timer);
    for (const signal of signals) signal?.removeEventListener('abort', leave);
  }
}

/** The same for work that has one limit, and is called by a name. */
export function withinLimit<Result>(
  what: string,
  limitMs: number,
  run: (signal: AbortSignal) => Promise<Result>,
  outer?: AbortSignal,
): Promise<Result> {
  return withTimeLimit([outer], ({ signal, allow }) => {
    allow(limitMs, `${what} did not answer within ${limitMs / 1000} s`);
    return run(signal);
  });
}
