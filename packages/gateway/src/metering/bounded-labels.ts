/** What is not told by its own name. */
const OTHER = 'other';

/**
 * Names as Prometheus gets them: so many different ones at most, since each is kept for ever. Later ones are all `other`.
 */
export class BoundedLabels {
  readonly #most: number;
  readonly #known = new Set<string>();

  constructor(most: number) {
    this.#most = most;
  }

  labelOf(name: string): string {
    return this.#add(name) ? name : OTHER;
  }

  /**
   * The same for a target, whose model a client may have made up: it has a name of its own once it has answered, else it
   * is one of the others of its provider.
   */
  labelOfTarget(target: string, hasAnswered: boolean): string {
    if (target === '') return 'none';
    const isKnown = hasAnswered ? this.#add(target) : this.#known.has(target);
    return isKnown ? target : `${target.slice(0, Math.max(0, target.indexOf('/')))}/${OTHER}`;
  }

  #add(name: string): boolean {
    if (this.#known.has(name)) return true;
    if (this.#known.size >= this.#most) return false;
    this.#known.add(name);
    return true;
  }
}
