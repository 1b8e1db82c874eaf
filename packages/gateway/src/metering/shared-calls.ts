import type { RequestInfo } from '@dragoman/protocol/console';
import { type Store, WordsChannel } from '@dragoman/server';
import type { CallCounters } from './call-counters.ts';
import type { CallWatch } from './call-watch.ts';

/** What is needed to count and tell together. */
export interface SharedCallsOptions {
  store: Pick<Store, 'openChannel'>;
  calls: CallWatch;
  /** What this server counted. */
  counters: () => Promise<CallCounters>;
  log: { warn(facts: object, message: string): void };
}

type Word =
  | ['counted', counters: CallCounters]
  | ['refused', request: RequestInfo]
  /** A server has come, and wants to know what the others counted; or it has gone. */
  | ['hello' | 'bye'];

const GATHER_MS = 300;
const REPEAT_MS = 20_000;
/** A server that says nothing for so long is gone, and what it counted with it. */
const GONE_AFTER_MS = 65_000;

/**
 * The counters of all servers on one PostgreSQL, and their refusals, which no log holds: whichever of them a page asks, it shows
 * the same.
 */
export class SharedCalls {
  readonly #calls: CallWatch;
  readonly #others = new Map<string, { counters: CallCounters; at: number }>();
  readonly #channel: WordsChannel<Word>;
  readonly #repeating: NodeJS.Timeout;

  constructor({ store, calls, counters, log }: SharedCallsOptions) {
    this.#calls = calls;
    const channel = (this.#channel = new WordsChannel<Word>({
      store,
      name: 'dragoman_calls',
      gatherMs: GATHER_MS,
      gather: async () => [['counted', await counters()]],
      hear: (word, sender) => this.#hear(word, sender),
      log,
      alone: 'calls are counted at this server alone',
      unsent: 'other servers could not be told of calls',
    }));
    const countSoon = () => channel.sendSoon();
    calls.observe({ ended: countSoon, refused: countSoon, targetFailed() {} });
    calls.onRefusal = (request) => void channel.send([['refused', request]]);
    void channel.send([['hello']]).then(countSoon);
    this.#repeating = setInterval(countSoon, REPEAT_MS).unref();
  }

  /** What all servers counted, and how many they are. */
  add(own: CallCounters): CallCounters & { servers: number } {
    const now = performance.now();
    for (const [id, { at }] of this.#others) if (now - at > GONE_AFTER_MS) this.#others.delete(id);
    const sum = { ...own, servers: 1 + this.#others.size };
    for (const { counters } of this.#others.values()) {
      sum.since = Math.min(sum.since, counters.since);
      for (const name of COUNTED) sum[name] += counters[name];
    }
    return sum;
  }

  async close(): Promise<void> {
    clearInterval(this.#repeating);
    await this.#channel.close([['bye']]);
  }

  #hear(word: Word, sender: string): void {
    if (word[0] === 'counted') this.#others.set(sender, { counters: word[1], at: performance.now() });
    else if (word[0] === 'refused') this.#calls.refusedElsewhere(word[1]);
    else if (word[0] === 'hello') this.#channel.sendSoon();
    else this.#others.delete(sender);
  }
}

const COUNTED = ['calls', 'failed', 'limited', 'refused', 'blocked', 'redactions', 'repairs'] as const;
