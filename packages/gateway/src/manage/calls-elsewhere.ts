import type { Kysely } from 'kysely';
import type { CallWatch } from '../metering/call-watch.ts';
import type { UsageTables } from '../metering/usage-tables.ts';
import { requestInfoOf } from './list-requests.ts';

const LOOK_MS = 1_000;
/** A call is in the log soon after it ended. One that comes later than this is in the list, and is not told. */
const LATE_MS = 10_000;
/** Of more calls at once, the newest are told. */
const MOST_ROWS = 200;

/** What calls of other processes are read from, and who is told. */
export interface CallsElsewhereParts {
  db: Kysely<UsageTables>;
  calls: CallWatch;
  lookMs?: number;
}

/**
 * Tells whoever listens of the calls that other processes note in the same log: other servers, agents in a process of their
 * own, `dragoman run`. The log is only read while somebody listens.
 */
export class CallsElsewhere {
  readonly #parts: CallsElsewhereParts;
  /** When each call was told, of those that may be in the next reading. */
  readonly #told = new Map<string, number>();
  #listeners = 0;
  #since = 0;
  #timer: NodeJS.Timeout | undefined;
  #leave = () => {};
  #isReading = false;

  constructor(parts: CallsElsewhereParts) {
    this.#parts = parts;
  }

  /** Reads until the signal. */
  follow(signal: AbortSignal): void {
    if (signal.aborted) return;
    if (this.#listeners++ === 0) this.#begin();
    signal.addEventListener('abort', () => --this.#listeners === 0 && this.#end(), { once: true });
  }

  #begin(): void {
    const { calls, lookMs = LOOK_MS } = this.#parts;
    this.#since = Date.now();
    this.#leave = calls.listen((_json, id) => this.#told.set(id, Date.now()));
    this.#timer = setInterval(() => void this.#look(), lookMs).unref();
  }

  #end(): void {
    clearInterval(this.#timer);
    this.#leave();
    this.#told.clear();
  }

  async #look(): Promise<void> {
    if (this.#isReading) return;
    this.#isReading = true;
    try {
      await this.#tell(Date.now());
    } catch {
      // The database is away, and whoever uses it says so. It is looked again.
    } finally {
      this.#isReading = false;
    }
  }

  async #tell(now: number): Promise<void> {
    const { db, calls } = this.#parts;
    const rows = await db
      .selectFrom('usage_log')
      .selectAll()
      .where('at', '>=', Math.max(this.#since, now - LATE_MS))
      .orderBy('at', 'desc')
      .orderBy('id', 'desc')
      .limit(MOST_ROWS)
      .execute();
    for (const row of rows.reverse()) if (!this.#told.has(row.id)) calls.endedElsewhere(requestInfoOf(row));
    for (const [id, at] of this.#told) if (at < now - 2 * LATE_MS) this.#told.delete(id);
  }
}
