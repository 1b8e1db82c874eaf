/** The longest a timer can wait. */
const MAX_TIMER_MS = 2_147_483_647;

/**
 * Wakes up when the next approval runs out of time. It keeps no approvals itself: who is woken looks into the table and
 * says when to wake next. A waiting timer keeps no process alive.
 */
export class ApprovalClock {
  readonly #now: () => number;
  readonly #wake: () => void;
  #timer: NodeJS.Timeout | undefined;
  #at = Infinity;
  #isClosed = false;

  constructor(now: () => number, wake: () => void) {
    this.#now = now;
    this.#wake = wake;
  }

  /** Asks to be woken at a moment; an earlier one that was asked for stays. */
  wakeAt(at: number): void {
    if (at >= this.#at || this.#isClosed) return;
    clearTimeout(this.#timer);
    this.#at = at;
    this.#timer = setTimeout(
      () => {
        this.#at = Infinity;
        this.#wake();
      },
      Math.min(Math.max(at - this.#now(), 0), MAX_TIMER_MS),
    );
    this.#timer.unref();
  }

  /** Wakes nobody any more. */
  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#timer);
  }
}
