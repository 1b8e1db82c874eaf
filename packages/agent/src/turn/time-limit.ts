/** How long work that was cancelled is waited for before it is left alone. */
const GRACE_MS = 2_000;

/** How long work may take, and what ends it. */
export interface TimeLimit {
  /** Without one it ends only when it is called off. */
  limitMs?: number;
  /** Calls the work off from outside. */
  signal: AbortSignal;
  /** The error of a time that ran out. */
  expired?: () => Error;
  /** How long the work may take to end well once it was cancelled. */
  graceMs?: number | undefined;
  /** Time that does not count, such as that of a person who was asked something; asked when the time seems up. */
  notCountedMs?: () => number;
}

/** A timer cannot be set further ahead; it would fire at once. */
const LONGEST_TIMER_MS = 2 ** 31 - 1;
/** While time that does not count goes by, the clock is looked at no more often than this. */
const LOOK_MS = 20;

/**
 * Runs work that must come to an end. When the time is up or it is called off, its signal fires; work that does not obey
 * within a moment is left alone and its result is not waited for.
 */
export async function withTimeLimit<Result>(
  work: (signal: AbortSignal) => Promise<Result>,
  {
    limitMs = Number.POSITIVE_INFINITY,
    signal,
    expired = () => new Error(`It took longer than ${limitMs} ms.`),
    graceMs = GRACE_MS,
    notCountedMs = () => 0,
  }: TimeLimit,
): Promise<Result> {
  signal.throwIfAborted();
  const ending = new AbortController();
  let reason: Error | undefined;
  let grace: NodeJS.Timeout | undefined;
  return new Promise<Result>((resolve, reject) => {
    const end = (error: Error) => {
      if (reason !== undefined) return;
      reason = error;
      ending.abort(error);
      grace = setTimeout(() => finish(() => reject(error)), graceMs);
    };
    const startedAt = performance.now();
    let timer: NodeJS.Timeout | undefined;
    const arm = () => {
      const notCounted = notCountedMs();
      const left = limitMs + notCounted - (performance.now() - startedAt);
      if (left <= 0) end(expired());
      else timer = setTimeout(arm, Math.min(LONGEST_TIMER_MS, Math.max(left, notCounted > 0 ? LOOK_MS : 0)));
    };
    if (Number.isFinite(limitMs)) arm();
    const callOff = () => end(toError(signal.reason));
    const finish = (settle: () => void) => {
      clearTimeout(timer);
      clearTimeout(grace);
      signal.removeEventListener('abort', callOff);
      settle();
    };
    signal.addEventListener('abort', callOff, { once: true });
    // What work gives back after it was cancelled is kept: it is more than nothing.
    const working = (async () => work(ending.signal))();
    working.then(
      (result) => finish(() => resolve(result)),
      (error: unknown) => finish(() => reject(reason !== undefined && isAbort(error) ? reason : toError(error))),
    );
  });
}

/** Whether an error only says that the work was cancelled; work may have more to say than that. */
function isAbort(error: unknown): boolean {
  return error instanceof Error && (error.name === 'AbortError' || error.name === 'TimeoutError');
}

function toError(reason: unknown): Error {
  return reason instanceof Error ? reason : new Error(String(reason));
}
