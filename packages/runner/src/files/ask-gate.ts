import { DragomanError } from '@dragoman/protocol';

const AT_ONCE = 4;
const MOST_WAITING = 100;

/** Lets a few questions in at a time, because each of them starts programs, and changes of one folder one by one. */
export class AskGate {
  readonly #waiting: (() => void)[] = [];
  readonly #lines = new Map<string, Promise<unknown>>();
  #inside = 0;

  /** Runs work when there is room for it; not at all when its signal fires before. */
  async run<Result>(signal: AbortSignal, work: () => Promise<Result>): Promise<Result> {
    if (this.#waiting.length >= MOST_WAITING)
      throw new DragomanError('unavailable', `${MOST_WAITING} questions wait on this machine; try again in a moment`, {
        isRetryable: true,
      });
    signal.throwIfAborted();
    if (this.#inside >= AT_ONCE) await this.#turn(signal);
    else this.#inside += 1;
    try {
      signal.throwIfAborted();
      return await work();
    } finally {
      // Whoever waits takes the place over.
      const next = this.#waiting.shift();
      if (next === undefined) this.#inside -= 1;
      else next();
    }
  }

  /** Resolves when a place is free. Who leaves before takes none up. */
  async #turn(signal: AbortSignal): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const leave = () => {
      const at = this.#waiting.indexOf(resolve);
      if (at >= 0) this.#waiting.splice(at, 1);
      if (at >= 0) reject(signal.reason as Error);
    };
    this.#waiting.push(resolve);
    signal.addEventListener('abort', leave, { once: true });
    try {
      await promise;
    } finally {
      signal.removeEventListener('abort', leave);
    }
  }

  /** Runs work after all that was asked for under the same name. */
  async alone<Result>(name: string, signal: AbortSignal, work: () => Promise<Result>): Promise<Result> {
    const before = this.#lines.get(name);
    const run = async () => {
      await before?.catch(() => {});
      signal.throwIfAborted();
      return work();
    };
    const done = run();
    this.#lines.set(name, done);
    try {
      return await done;
    } finally {
      if (this.#lines.get(name) === done) this.#lines.delete(name);
    }
  }
}
