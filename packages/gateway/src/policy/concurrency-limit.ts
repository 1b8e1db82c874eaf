/** Limits how many calls each client has under way at once. */
export class ConcurrencyLimit {
  readonly #max: number;
  readonly #underWay = new Map<string, number>();

  constructor(max: number) {
    this.#max = max;
  }

  /** Lets one more call in, or gives nothing at the limit. What comes back lets it out; calling it again does nothing. */
  enter(client: string): (() => void) | undefined {
    const count = this.#underWay.get(client) ?? 0;
    if (count >= this.#max) return undefined;
    this.#underWay.set(client, count + 1);
    let isInside = true;
    return () => {
      if (!isInside) return;
      isInside = false;
      this.#leave(client);
    };
  }

  /** How many clients have calls under way. */
  get clientCount(): number {
    return this.#underWay.size;
  }

  #leave(client: string): void {
    const count = this.#underWay.get(client)! - 1;
    if (count === 0) this.#underWay.delete(client);
    else this.#underWay.set(client, count);
  }
}
