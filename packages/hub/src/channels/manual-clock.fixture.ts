import { setTimeout as pause } from 'node:timers/promises';
import type { DeskClock } from './desk-clock.ts';

interface Timer {
  at: number;
  ring(): void;
}

/** A clock that only a test moves. */
export class ManualClock implements DeskClock {
  #now: number;
  #timers: Timer[] = [];

  constructor(now = 1_800_000_000_000) {
    this.#now = now;
  }

  readonly now = (): number => this.#now;

  wait(ms: number, signal: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      if (signal.aborted) {
        reject(signal.reason as Error);
        return;
      }
      const timer: Timer = { at: this.#now + ms, ring: resolve };
      this.#timers.push(timer);
      signal.addEventListener(
        'abort',
        () => {
          this.#timers = this.#timers.filter((other) => other !== timer);
          reject(signal.reason as Error);
        },
        { once: true },
      );
    });
  }

  /** Lets so much time pass at once. */
  advance(ms: number): void {
    this.#now += ms;
    const due = this.#timers.filter(({ at }) => at <= this.#now).toSorted((one, other) => one.at - other.at);
    this.#timers = this.#timers.filter((timer) => !due.includes(timer));
    for (const { ring } of due) ring();
  }
}

/** Lets time pass, a tenth of a second at once, until something is so. What happens meanwhile takes its own time. */
export async function passUntil(
  clocks: readonly ManualClock[],
  check: () => boolean | Promise<boolean>,
  most = 10_000,
): Promise<void> {
  for (let turn = 0; turn < most; turn += 1) {
    if (await check()) return;
    await pause(1);
    for (const clock of clocks) clock.advance(100);
  }
  throw new Error(`It did not come to that within ${most / 10} seconds of the test's own time.`);
}
