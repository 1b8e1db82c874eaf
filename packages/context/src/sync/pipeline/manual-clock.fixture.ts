import type { Clock } from './clock.ts';

/** A clock that stands still until the test moves it. */
export class ManualClock implements Clock {
  #now: number;
  #alarms: { at: number; action: () => void }[] = [];
  #watchers = new Set<() => void>();

  constructor(now = Date.now()) {
    this.#now = now;
  }

  now(): number {
    return this.#now;
  }

  after(ms: number, action: () => void): () => void {
    const alarm = { at: this.#now + ms, action };
    this.#alarms.push(alarm);
    for (const look of this.#watchers) look();
    return () => {
      this.#alarms = this.#alarms.filter((other) => other !== alarm);
    };
  }

  /** How long until each thing that waits, the nearest first. */
  get waiting(): number[] {
    return this.#alarms.map(({ at }) => at - this.#now).sort((a, b) => a - b);
  }

  /** Resolves when something waits for exactly that long. */
  untilWaiting(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const look = () => {
        if (!this.waiting.includes(ms)) return;
        this.#watchers.delete(look);
        resolve();
      };
      this.#watchers.add(look);
      look();
    });
  }

  /** Moves on, and does what is due on the way, in order. */
  advance(ms: number): void {
    const end = this.#now + ms;
    for (;;) {
      const next = this.#alarms.filter(({ at }) => at <= end).sort((a, b) => a.at - b.at)[0];
      if (next === undefined) break;
      this.#alarms = this.#alarms.filter((alarm) => alarm !== next);
      this.#now = next.at;
      next.action();
    }
    this.#now = end;
  }
}
