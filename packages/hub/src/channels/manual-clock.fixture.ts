import { setImmediate, setTimeout as pause } from 'node:timers/promises';
import type { ChannelKind } from './channel.ts';
import type { DeskClock } from './desk-clock.ts';

interface Timer {
  at: number;
  ring(): void;
}

/**
 * A clock that only a test moves, and only while nothing is going on: a database or a platform takes its real time, and no
 * time of the test's passes meanwhile.
 */
export class ManualClock implements DeskClock {
  #now: number;
  #timers: Timer[] = [];
  #inFlight = 0;
  #isBusy: () => boolean = () => false;
  #atRest = Promise.withResolvers<void>();

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

  /** Time stands still until this is over. */
  async during<Result>(work: () => Promise<Result>): Promise<Result> {
    this.#inFlight += 1;
    try {
      return await work();
    } finally {
      this.#inFlight -= 1;
      if (this.#inFlight === 0) {
        this.#atRest.resolve();
        this.#atRest = Promise.withResolvers();
      }
    }
  }

  /** Time stands still as well while this says so. */
  standsWhile(isBusy: () => boolean): void {
    this.#isBusy = isBusy;
  }

  /** Everything that has begun has ended, or waits for time to pass. */
  async settled(): Promise<void> {
    for (;;) {
      // What has a turn to come in this process has it first.
      await setImmediate();
      if (this.#inFlight > 0) await this.#atRest.promise;
      else if (this.#isBusy()) await pause(1);
      else if (!process.getActiveResourcesInfo().includes('Immediate')) return;
    }
  }

  get isAtRest(): boolean {
    return this.#inFlight === 0 && !this.#isBusy();
  }

  /** Lets so much time pass at once. */
  advance(ms: number): void {
    this.#now += ms;
    const due = this.#timers.filter(({ at }) => at <= this.#now).toSorted((one, other) => one.at - other.at);
    this.#timers = this.#timers.filter((timer) => !due.includes(timer));
    for (const { ring } of due) ring();
  }
}

/** So long, in the test's own time, a test waits for something that does not come. */
const MOST_MS = 1_000_000;

/** Lets time pass, a tenth of a second at once, until something is so. What happens meanwhile takes its own time. */
export async function passUntil(
  clocks: readonly ManualClock[],
  check: () => boolean | Promise<boolean>,
  mostMs = MOST_MS,
): Promise<void> {
  for (let ms = 0; ms < mostMs; ms += 100) {
    await allSettled(clocks);
    if (await check()) return;
    for (const clock of clocks) clock.advance(100);
  }
  throw new Error(`It did not come to that within ${mostMs / 1000} seconds of the test's own time.`);
}

/** One that is at rest may be set to work by another. */
async function allSettled(clocks: readonly ManualClock[]): Promise<void> {
  do for (const clock of clocks) await clock.settled();
  while (!clocks.every((clock) => clock.isAtRest));
}

/** A kind of channel whose platform takes real time: none of the test's passes while it is told or tells something. */
export function standsWhileTalking(kind: ChannelKind, clock: ManualClock): ChannelKind {
  return {
    ...kind,
    async open(settings, host) {
      const hear: typeof host.hear = (heard) => clock.during(() => host.hear(heard));
      const channel = await clock.during(() => kind.open(settings, { ...host, hear }));
      const deliver = channel.deliver.bind(channel);
      channel.deliver = (delivery) => clock.during(() => deliver(delivery));
      return channel;
    },
  };
}
