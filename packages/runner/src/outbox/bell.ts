/** Wakes one who waits. */
export class Bell {
  #wake = () => {};
  readonly #ended: AbortSignal;

  constructor(ended: AbortSignal) {
    this.#ended = ended;
    ended.addEventListener('abort', () => this.ring(), { once: true });
  }

  ring(): void {
    this.#wake();
  }

  /** Resolves with the next ring, at the end, or after a time. */
  async rung(limitMs?: number): Promise<void> {
    if (this.#ended.aborted) return;
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = limitMs === undefined ? undefined : setTimeout(resolve, limitMs);
    this.#wake = resolve;
    await promise;
    clearTimeout(timer);
  }
}
