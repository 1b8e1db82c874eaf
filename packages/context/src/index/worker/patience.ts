/** Of the two seconds that a question waits for vectors at most, this much is for those of files. */
const LIMIT_MS = 1_500;
/** A question that waited for files is asked right after. */
const RIGHT_AFTER_MS = 1_000;

/**
 * How long questions wait for vectors of files that are being made elsewhere. Only that counts: reading many files takes its
 * time as well. Once a question has waited for so long, the signal says that files are to be found without, until no question
 * waits any more.
 */
export class Patience {
  readonly #limitMs: number;
  #leftMs: number;
  #questions = 0;
  #beingMade = 0;
  #startedAt = 0;
  #spentAt = -Infinity;
  #timer: NodeJS.Timeout | undefined;
  #over = new AbortController();

  constructor(limitMs = LIMIT_MS) {
    this.#limitMs = limitMs;
    this.#leftMs = limitMs;
  }

  /** Whether a question waits. */
  get isAsked(): boolean {
    return this.#questions > 0;
  }

  /** Whether a question has waited for all that time just now. */
  get isSpent(): boolean {
    return performance.now() - this.#spentAt < RIGHT_AFTER_MS;
  }

  /** Does what a question waits for. */
  async whileAsked<Result>(task: () => Promise<Result>): Promise<Result> {
    this.#questions++;
    this.#goOn();
    try {
      return await task();
    } finally {
      if (--this.#questions === 0) {
        this.#stop();
        this.#leftMs = this.#limitMs;
        if (this.#over.signal.aborted) this.#over = new AbortController();
      }
    }
  }

  /** Has vectors of files made. */
  async whileMade<Result>(task: (hurry: AbortSignal) => Promise<Result>): Promise<Result> {
    this.#beingMade++;
    this.#goOn();
    try {
      return await task(this.#over.signal);
    } finally {
      if (--this.#beingMade === 0) this.#stop();
    }
  }

  #goOn(): void {
    if (this.#questions === 0 || this.#beingMade === 0 || this.#timer !== undefined) return;
    this.#startedAt = performance.now();
    this.#timer = setTimeout(
      () => {
        this.#spentAt = performance.now();
        this.#over.abort(new DOMException('A question waits.', 'TimeoutError'));
      },
      Math.max(0, this.#leftMs),
    );
  }

  #stop(): void {
    if (this.#timer === undefined) return;
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#leftMs -= performance.now() - this.#startedAt;
  }
}
