/** Keeps what was used last, up to a weight in all. What is heavier than that alone is not kept. */
export class RecentlyUsed<Value> {
  readonly #maxWeight: number;
  readonly #weigh: (value: Value) => number;
  readonly #values = new Map<string, { value: Value; weight: number }>();
  #weight = 0;

  constructor(maxWeight: number, weigh: (value: Value) => number) {
    this.#maxWeight = maxWeight;
    this.#weigh = weigh;
  }

  get(key: string): Value | undefined {
    const kept = this.#values.get(key);
    if (kept === undefined) return undefined;
    this.#values.delete(key);
    this.#values.set(key, kept);
    return kept.value;
  }

  /** So many at most, the one used last first. Looking at them is no use. */
  latest(count: number): Value[] {
    return [...this.#values.values()]
      .slice(-count)
      .reverse()
      .map(({ value }) => value);
  }

  /** Also for a value that has grown. */
  set(key: string, value: Value): void {
    this.delete(key);
    const weight = this.#weigh(value);
    this.#values.set(key, { value, weight });
    this.#weight += weight;
    for (const oldest of this.#values.keys()) {
      if (this.#weight <= this.#maxWeight) return;
      this.delete(oldest);
    }
  }

  delete(key: string): void {
    const kept = this.#values.get(key);
    if (kept === undefined) return;
    this.#values.delete(key);
    this.#weight -= kept.weight;
  }
}
