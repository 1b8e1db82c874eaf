/** Counts what happened within a window of time, key by key. */
export class RateLimit {
  readonly #times = new Map<string, number[]>();

  /** Counts one more, or says after how many milliseconds the next one passes. */
  take(key: string, limit: number | undefined, windowMs: number, now: number): number | undefined {
    if (limit === undefined) return undefined;
    const times = (this.#times.get(key) ?? []).filter((time) => time > now - windowMs);
    this.#times.set(key, times);
    if (times.length >= limit) return times[times.length - limit]! + windowMs - now;
    times.push(now);
    return undefined;
  }
}
