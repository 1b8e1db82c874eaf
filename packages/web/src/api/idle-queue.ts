/** What waits for idle time is done by then in any case. */
const AT_LATEST_MS = 500;

/** Calls when the page has nothing else to do. Returns how to have it not called. */
export function whenIdle(call: () => void): () => void {
  // Safari has no idle time.
  if (!('requestIdleCallback' in globalThis)) {
    const timer = setTimeout(call, 16);
    return () => clearTimeout(timer);
  }
  const id = requestIdleCallback(call, { timeout: AT_LATEST_MS });
  return () => cancelIdleCallback(id);
}

/** Work that is done in its order, one piece whenever the page has nothing else to do. */
export class IdleQueue<Item> {
  readonly #work: (item: Item) => void;
  readonly #items: Item[] = [];
  #cancel: (() => void) | undefined;

  constructor(work: (item: Item) => void) {
    this.#work = work;
  }

  /** Nothing waits. */
  get isEmpty(): boolean {
    return this.#items.length === 0;
  }

  add(item: Item): void {
    this.#items.push(item);
    this.#cancel ??= whenIdle(() => this.#doNext());
  }

  clear(): void {
    this.#items.length = 0;
    this.#cancel?.();
    this.#cancel = undefined;
  }

  #doNext(): void {
    this.#cancel = undefined;
    const item = this.#items.shift();
    if (this.#items.length > 0) this.#cancel = whenIdle(() => this.#doNext());
    if (item !== undefined) this.#work(item);
  }
}
