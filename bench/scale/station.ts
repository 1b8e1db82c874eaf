/** Something that works off what it is given, in the order it comes: as many things at once as it has cores. */
export class Station {
  readonly #freeAtMs: number[];
  #givenMs = 0;

  constructor(cores = 1) {
    this.#freeAtMs = Array.from({ length: cores }, () => 0);
  }

  get cores(): number {
    return this.#freeAtMs.length;
  }

  /** All the work that it was ever given, in ms of one core. */
  get givenMs(): number {
    return this.#givenMs;
  }

  /** When work that comes now is done. */
  take(nowMs: number, workMs: number): number {
    let core = 0;
    for (let other = 1; other < this.#freeAtMs.length; other++)
      if (this.#freeAtMs[other]! < this.#freeAtMs[core]!) core = other;
    const doneAtMs = Math.max(nowMs, this.#freeAtMs[core]!) + workMs;
    this.#freeAtMs[core] = doneAtMs;
    this.#givenMs += workMs;
    return doneAtMs;
  }
}
