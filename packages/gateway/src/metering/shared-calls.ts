import { randomUUID } from 'node:crypto';
import type { RequestInfo } from '@dragoman/protocol/console';
import type { Store, StoreChannel } from '@dragoman/server';
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
  | ['counted', sender: string, counters: CallCounters]
  | ['refused', sender: string, request: RequestInfo]
  /** A server has come, and wants to know what the others counted; or it has gone. */
  | ['hello' | 'bye', sender: string];

const CHANNEL = 'dragoman_calls';
const GATHER_MS = 300;
const REPEAT_MS = 20_000;
/** A server that says nothing for so long is gone, and what it counted with it. */
const GONE_AFTER_MS = 65_000;
const MOST_BYTES = 7_500;

/**
 * The counters of all servers on one PostgreSQL, and their refusals, which no log holds: whichever of them a page asks, it shows
 * the same.
 */
export class SharedCalls {
  readonly #self = randomUUID();
  readonly #options: SharedCallsOptions;
  readonly #others = new Map<string, { counters: CallCounters; at: number }>();
  readonly #opened: Promise<StoreChannel | undefined>;
  readonly #repeating: NodeJS.Timeout;
  #gathering: NodeJS.Timeout | undefined;

  constructor(options: SharedCallsOptions) {
    this.#options = options;
    const { store, calls, log } = options;
    this.#opened = store
      .openChannel(CHANNEL, (payload) => {
        if (payload !== undefined) this.#hear(JSON.parse(payload) as Word);
      })
      .catch((err: unknown) => {
        log.warn({ err }, 'calls are counted at this server alone');
        return undefined;
      });
    const countSoon = () => this.#countSoon();
    calls.observe({ ended: countSoon, refused: countSoon, targetFailed() {} });
    calls.onRefusal = (request) => void this.#tell(['refused', this.#self, request]);
    void this.#tell(['hello', this.#self]).then(countSoon);
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
    clearTimeout(this.#gathering);
    await this.#tell(['bye', this.#self]);
    await (await this.#opened)?.close();
  }

  #countSoon(): void {
    this.#gathering ??= setTimeout(() => {
      this.#gathering = undefined;
      void this.#options.counters().then((counters) => this.#tell(['counted', this.#self, counters]));
    }, GATHER_MS).unref();
  }

  async #tell(word: Word): Promise<void> {
    const payload = JSON.stringify(word);
    if (Buffer.byteLength(payload) > MOST_BYTES) return;
    const channel = await this.#opened;
    await channel
      ?.notify(payload)
      .catch((err: unknown) => this.#options.log.warn({ err }, 'other servers could not be told of calls'));
  }

  #hear(word: Word): void {
    const [kind, sender, said] = word;
    if (sender === this.#self) return;
    if (kind === 'counted') this.#others.set(sender, { counters: said, at: performance.now() });
    else if (kind === 'refused') this.#options.calls.refusedElsewhere(said);
    else if (kind === 'hello') this.#countSoon();
    else this.#others.delete(sender);
  }
}

const COUNTED = ['calls', 'failed', 'limited', 'refused', 'blocked', 'redactions', 'repairs'] as const;
