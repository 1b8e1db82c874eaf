/** What is to be done for a card: it gives after how long there is more to do. */
type LateWork = (signal: AbortSignal) => Promise<number | undefined>;

/** A change that fails is tried so often, each time after this. */
const MAX_FAILURES = 3;
const FAILED_MS = 20_000;

/**
 * Brings images into cards whose text is already there.
 *
 * Nothing is written behind the back of a delivery: one that begins ends what is under way for its card, and plans anew.
 */
export class LateImages {
  readonly #planned = new Map<string, { stop: AbortController; running: Promise<void> | undefined }>();

  /** Plans work for a card, in the place of what was planned before. */
  plan(cardId: string, afterMs: number, work: LateWork, signal: AbortSignal, failures = 0): void {
    this.#planned.get(cardId)?.stop.abort();
    const stop = new AbortController();
    const until = AbortSignal.any([signal, stop.signal]);
    const plan = { stop, running: undefined as Promise<void> | undefined };
    this.#planned.set(cardId, plan);
    const forget = () => {
      if (this.#planned.get(cardId) === plan) this.#planned.delete(cardId);
    };
    const run = async (): Promise<void> => {
      let next: number | undefined;
      let failed = failures;
      try {
        next = await work(until);
      } catch {
        failed += 1;
        next = failed < MAX_FAILURES ? FAILED_MS : undefined;
      }
      if (!until.aborted && next !== undefined) this.plan(cardId, next, work, signal, failed);
      else forget();
    };
    const timer = setTimeout(() => {
      plan.running = run();
    }, afterMs);
    timer.unref();
    until.addEventListener(
      'abort',
      () => {
        clearTimeout(timer);
        if (plan.running === undefined) forget();
      },
      { once: true },
    );
  }

  /** Ends what is planned or under way for a card. */
  async stop(cardId: string): Promise<void> {
    const plan = this.#planned.get(cardId);
    plan?.stop.abort();
    await plan?.running;
  }

  /** Ends everything. */
  close(): void {
    for (const { stop } of this.#planned.values()) stop.abort();
  }
}
