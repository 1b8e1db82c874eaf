import { DragomanError } from '@dragoman/protocol';

/** How long a key rests when the provider does not say, and how long one that was refused does. */
const DEFAULT_REST_MS = 30_000;
const REFUSED_REST_MS = 300_000;

/** A provider's keys, which take turns; one that hit a limit rests until its time is over. */
export class KeyPool {
  readonly #keys: { key: string; restsUntil: number }[];
  readonly #now: () => number;
  #next = 0;

  readonly #onRest: (key: string, restMs: number) => void;

  constructor(
    keys: readonly string[],
    { now = Date.now, onRest = () => {} }: { now?: () => number; onRest?: (key: string, restMs: number) => void } = {},
  ) {
    this.#keys = keys.map((key) => ({ key, restsUntil: 0 }));
    this.#now = now;
    this.#onRest = onRest;
  }

  get size(): number {
    return this.#keys.length;
  }

  /** The next key that is not resting; nothing where the provider has no keys at all. */
  take(): string | undefined {
    if (this.#keys.length === 0) return undefined;
    for (let step = 0; step < this.#keys.length; step++) {
      const entry = this.#keys[this.#next]!;
      this.#next = (this.#next + 1) % this.#keys.length;
      if (entry.restsUntil <= this.#now()) return entry.key;
    }
    const retryAfterMs = Math.min(...this.#keys.map((entry) => entry.restsUntil)) - this.#now();
    throw new DragomanError('rate-limited', 'Every key of this provider has reached its limit.', {
      isRetryable: true,
      retryAfterMs,
    });
  }

  /** After an error that is about the key: it rests as long as the provider asked for. */
  rest(key: string, error: DragomanError): void {
    const entry = this.#keys.find((candidate) => candidate.key === key);
    if (entry === undefined || this.#keys.length === 1) return; // An only key is asked again: the refusal may be about one model.
    const restMs = error.code === 'forbidden' ? REFUSED_REST_MS : (error.retryAfterMs ?? DEFAULT_REST_MS);
    if (error.code !== 'rate-limited' && error.code !== 'forbidden') return;
    entry.restsUntil = this.#now() + restMs;
    this.#onRest(key, restMs);
  }

  /** Another process heard this of a key. */
  restsElsewhere(isMeant: (key: string) => boolean, restMs: number): void {
    if (this.#keys.length === 1) return;
    for (const entry of this.#keys)
      if (isMeant(entry.key)) entry.restsUntil = Math.max(entry.restsUntil, this.#now() + restMs);
  }
}
