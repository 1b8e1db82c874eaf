/** How long the first wrong token from an address waits for its answer; each further one waits twice as long. */
const FIRST_WAIT_MS = 50;
const LONGEST_WAIT_MS = 3_000;
/** After this long without a wrong token an address starts anew. */
const FORGET_MS = 60_000;
/** Addresses remembered; beyond it, and with this many answers waiting, guessing is refused outright. */
const MAX_REMEMBERED = 10_000;
const MAX_WAITING = 200;

/** Slows guessing down, address by address. A right token is never slowed. */
export class FailedAttempts {
  readonly #byAddress = new Map<string, { count: number; at: number }>();
  readonly #now: () => number;
  #waiting = 0;

  constructor(now: () => number = Date.now) {
    this.#now = now;
  }

  /** Counts a wrong token and says how long its answer should wait. */
  waitFor(address: string): number {
    const now = this.#now();
    const before = this.#byAddress.get(address);
    const count = before === undefined || now - before.at > FORGET_MS ? 1 : before.count + 1;
    this.#byAddress.delete(address);
    this.#byAddress.set(address, { count, at: now });
    if (this.#byAddress.size > MAX_REMEMBERED) this.#byAddress.delete(this.#byAddress.keys().next().value!);
    return Math.min(FIRST_WAIT_MS * 2 ** (count - 1), LONGEST_WAIT_MS);
  }

  /** Waits the answer's time out, or says false at once when too many are waiting already. */
  async holdBack(address: string): Promise<boolean> {
    const wait = this.waitFor(address);
    if (this.#waiting >= MAX_WAITING) return false;
    this.#waiting++;
    try {
      await new Promise((resolve) => setTimeout(resolve, wait).unref());
      return true;
    } finally {
      this.#waiting--;
    }
  }
}
