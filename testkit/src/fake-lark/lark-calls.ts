/** One call of the platform's API, as it came. */
export interface LarkCall {
  /** Counted from 1. */
  number: number;
  /** Method and place without `/open-apis/`, such as `PUT cardkit/v1/cards/:card_id`. */
  endpoint: string;
  params: Readonly<Record<string, string>>;
  query: Readonly<Record<string, string>>;
  /** The JSON of the body; the plain fields of an uploaded form. */
  body: Readonly<Record<string, unknown>>;
  upload: { name: string; mediaType: string; bytes: Uint8Array } | undefined;
  at: number;
  /** How it ended: the platform's code, or what became of the connection. */
  outcome: number | 'drop-before' | 'drop-after' | 'hang' | 'hang-after' | undefined;
}

/**
 * What goes wrong with a call: it is refused as said; or the connection breaks or stays silent, before it was done or
 * after.
 */
export type LarkFault =
  | { status: number; code: number; msg?: string; headers?: Record<string, string> }
  | 'drop-before'
  | 'drop-after'
  | 'hang'
  | 'hang-after';

/** Decides about each call; `undefined` lets it pass. */
export type LarkFaultHook = (call: LarkCall) => LarkFault | undefined;

const KEPT = 10_000;

/** The calls that came: how many of each kind, and the last ten thousand as they were. */
export class CallLog {
  readonly #log: LarkCall[] = [];
  #last = 0;
  readonly #counts = new Map<string, number>();

  get all(): readonly LarkCall[] {
    return this.#log;
  }

  /** How often an endpoint was called, or all that begin with it: `count('PUT cardkit/')`; without a word, all. */
  count(endpoint = ''): number {
    let sum = 0;
    for (const [name, count] of this.#counts) if (name.startsWith(endpoint)) sum += count;
    return sum;
  }

  /** Endpoint by endpoint. */
  counts(): Record<string, number> {
    return Object.fromEntries([...this.#counts].toSorted(([left], [right]) => left.localeCompare(right)));
  }

  add(call: Omit<LarkCall, 'number' | 'outcome'>): LarkCall {
    const entry: LarkCall = { ...call, number: (this.#last += 1), outcome: undefined };
    if (this.#log.push(entry) >= 2 * KEPT) this.#log.splice(0, KEPT);
    this.#counts.set(entry.endpoint, (this.#counts.get(entry.endpoint) ?? 0) + 1);
    return entry;
  }

  clear(): void {
    this.#log.length = 0;
    this.#counts.clear();
  }
}
