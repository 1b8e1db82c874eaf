/** How much of the measure is the newest call. */
const NEWEST_SHARE = 0.3;
/** A measure that is older says little about now. */
const STALE_MS = 900_000;
const MOST_TARGETS = 500;

/** How long targets take to begin their answers, as a mean in which new calls count more. */
export class BeginTimes {
  readonly #times = new Map<string, { meanMs: number; at: number }>();
  readonly #now: () => number;

  constructor(now: () => number) {
    this.#now = now;
  }

  note(name: string, ms: number): void {
    const known = this.of(name);
    const meanMs = known === undefined ? ms : known + (ms - known) * NEWEST_SHARE;
    this.#times.delete(name);
    this.#times.set(name, { meanMs, at: this.#now() });
    if (this.#times.size > MOST_TARGETS) this.#times.delete(this.#times.keys().next().value!);
  }

  /** Nothing for a target that has not answered for a while. */
  of(name: string): number | undefined {
    const known = this.#times.get(name);
    return known === undefined || this.#now() - known.at > STALE_MS ? undefined : known.meanMs;
  }
}
