/** The limits are asked for each time, so they may change. */
export interface RequestWindowOptions {
  /** How many requests a client may make within the window. */
  requests: number;
  windowMs: number;
  now?: () => number;
}

export interface Allowance {
  isAllowed: boolean;
  /** How many more would be allowed now. */
  remaining: number;
  /** Until the next one is allowed; 0 when this one was. */
  retryAfterMs: number;
  /** Until the client has all its requests again. */
  resetMs: number;
}

/**
 * Limits how many requests each client makes within a sliding window.
 *
 * Each counted request is remembered for exactly the window, so the limit holds for every stretch of that length and not
 * only from one full minute to the next. Refused requests do not count. A client is forgotten when its last one leaves.
 */
export class RequestWindow {
  readonly #options: RequestWindowOptions;
  /** When the counted requests were made, oldest first. A counted one moves its client to the end. */
  readonly #clients = new Map<string, number[]>();

  constructor(options: RequestWindowOptions) {
    this.#options = options;
  }

  /** How many clients are remembered. */
  get clientCount(): number {
    return this.#clients.size;
  }

  /** Asks for one request, and counts it when it is allowed. */
  take(client: string): Allowance {
    const { requests, windowMs } = this.#options;
    const now = this.#now();
    const times = this.#timesInWindow(client, now);
    if (times.length >= requests)
      return {
        isAllowed: false,
        remaining: 0,
        retryAfterMs: (times[times.length - requests] ?? now) + windowMs - now,
        resetMs: (times.at(-1) ?? now) + windowMs - now,
      };
    this.#count(client, times, [now]);
    return { isAllowed: true, remaining: requests - times.length, retryAfterMs: 0, resetMs: windowMs };
  }

  /** Requests that were allowed elsewhere: they count, also beyond the limit. */
  note(client: string, count: number): void {
    const now = this.#now();
    this.#count(
      client,
      this.#timesInWindow(client, now),
      Array.from({ length: count }, () => now),
    );
  }

  /** How many requests the client may make now. Uses none up. */
  remaining(client: string): number {
    return Math.max(0, this.#options.requests - this.#timesInWindow(client, this.#now()).length);
  }

  #now(): number {
    return (this.#options.now ?? Date.now)();
  }

  #count(client: string, times: number[], more: readonly number[]): void {
    times.push(...more);
    this.#clients.delete(client);
    this.#clients.set(client, times);
  }

  #timesInWindow(client: string, now: number): number[] {
    this.#forgetIdle(now);
    const { windowMs } = this.#options;
    const times = this.#clients.get(client) ?? [];
    const inWindow = times.findIndex((time) => time + windowMs > now);
    times.splice(0, inWindow === -1 ? times.length : inWindow);
    return times;
  }

  #forgetIdle(now: number): void {
    const { windowMs } = this.#options;
    for (const [client, times] of this.#clients) {
      const last = times.at(-1);
      if (last !== undefined && last + windowMs > now) return;
      this.#clients.delete(client);
    }
  }
}
