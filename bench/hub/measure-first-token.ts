import type { LoggedHubEvent } from '@dragoman/protocol';
import { type Bench, newSession, say, stampIn, within } from './bench-session.ts';
import { clockMs } from './scripted-agent.ts';
import { readSession } from './session-reader.ts';

/** How long it takes from an agent's first word to a reader, in ms, sorted. */
export type Latencies = readonly number[];

/** One session, paced; the time from the emission of each message's first piece to its arrival at a reader. */
export async function measureFirstToken(
  bench: Bench,
  { messages, perSecond }: { messages: number; perSecond: number },
): Promise<Latencies> {
  const sessionId = await newSession(bench);
  const seen = new FirstSeen();
  const { promise, resolve } = Promise.withResolvers<void>();
  const reader = await readSession(bench.hub, sessionId, (events) => {
    seen.note(events);
    if (events.some(({ event }) => event.type === 'turn-finished')) resolve();
  });
  try {
    await say(bench, sessionId, { type: 'paced', messages, everyMs: 1_000 / perSecond });
    await within((messages / perSecond) * 2 + 30, 'the end of a paced turn', promise);
  } finally {
    reader.close();
  }
  if (seen.size !== messages) throw new Error(`${messages - seen.size} of ${messages} messages were lost`);
  return seen.latencies();
}

/** When each message that is said from now on was first seen, whatever event it came with. */
export class FirstSeen {
  readonly #lateBy = new Map<number, number>();
  readonly #since = clockMs();
  /** How late the last one was, in ms. */
  lastLateMs = 0;

  get size(): number {
    return this.#lateBy.size;
  }

  note(events: readonly LoggedHubEvent[]): void {
    const now = clockMs();
    for (const logged of events) {
      const stamp = stampIn(logged);
      if (stamp === undefined || stamp.atMs < this.#since || this.#lateBy.has(stamp.index)) continue;
      this.lastLateMs = now - stamp.atMs;
      this.#lateBy.set(stamp.index, this.lastLateMs);
    }
  }

  latencies(): Latencies {
    return [...this.#lateBy.values()].toSorted((one, other) => one - other);
  }
}

/** The value below which this share of the sorted values is. */
export function percentile(sorted: Latencies, share: number): number {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? NaN;
}
