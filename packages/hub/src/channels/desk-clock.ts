import { setTimeout as wait } from 'node:timers/promises';

/** The time, and how it passes; a test lets it pass by itself. */
export interface DeskClock {
  /** Milliseconds since 1970. */
  now(): number;
  /** Resolves after a while; rejects when the signal is aborted. Keeps no process alive. */
  wait(ms: number, signal: AbortSignal): Promise<void>;
}

/** The clock on the wall. */
export function wallClock(now: () => number): DeskClock {
  return { now, wait: (ms, signal) => wait(ms, undefined, { signal, ref: false }) };
}
