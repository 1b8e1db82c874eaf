import { setImmediate as setTurn } from 'node:timers';
import { setImmediate } from 'node:timers/promises';
import { isPermanentStoreError } from '@dragoman/server/base';
import type { Kysely } from 'kysely';
import type { Budgets } from '../budgets/budgets.ts';
import { optional } from '../optional.ts';
import type { CallWatch } from './call-watch.ts';
import { UsageQueue } from './usage-queue.ts';
import type { UsageRecord } from './usage-record.ts';
import { toUsageRow, type WaitingUsage } from './usage-row.ts';
import { spendingOf, storeUsage } from './store-usage.ts';
import type { UsageTables } from './usage-tables.ts';

/** Records wait this long for company: one write for all of a busy half second. */
const GATHER_MS = 500;
/** Few rows at a time: putting a large statement together would hold up the streams that are running. */
const MAX_ROWS = 20;
/** Whoever waits for a flush does not wait for more than these. */
const MAX_FLUSHED = 2_000;
/** A store that does not answer is tried again after this long, then after twice as long, and so on. */
const FIRST_RETRY_MS = 1_000;
const LAST_RETRY_MS = 30_000;
/** Of records that are dropped, the first is told, and then every so many. */
const TELL_DROPPED = 1_000;

/** Where the troubles of the log are told. */
export interface UsageTroubles {
  info(facts: object, message: string): void;
  warn(facts: object, message: string): void;
  error(facts: object, message: string): void;
}

/** What a usage log stands on. */
export interface UsageLogParts {
  /** Where records are kept for good; without it calls are told to whoever watches, and no more. */
  db: Kysely<UsageTables> | undefined;
  calls: CallWatch;
  /** Where records wait until they are stored; without it they wait in memory. */
  folder: string | undefined;
  /** Is told what calls used, before and after it is stored. */
  budgets: Budgets;
  log: UsageTroubles;
}

/**
 * Keeps a record of every model call, and tells whoever watches. A database that is slow or away slows no answer down
 * and loses no record: each is in a file when `add` returns, and is stored once, in order, when the database is back.
 */
export class UsageLog {
  readonly #db: Kysely<UsageTables> | undefined;
  readonly #calls: CallWatch;
  readonly #log: UsageTroubles;
  readonly #queue: UsageQueue;
  readonly #budgets: Budgets;
  #timer: NodeJS.Timeout | undefined;
  #writing: Promise<void> = Promise.resolve();
  /** 0 while the store takes what it is given. */
  #retryMs = 0;
  /** How many were stored since the store was back; undefined when nothing waits for it. */
  #storedLate: number | undefined;
  #toldProblem: unknown;
  #dropped = 0;
  #isSoon = false;

  constructor({ db, calls, folder, budgets, log }: UsageLogParts) {
    this.#db = db;
    this.#calls = calls;
    this.#log = log;
    this.#budgets = budgets;
    this.#queue = new UsageQueue(db === undefined ? undefined : folder);
    budgets.settleBy(() => this.flush(), this.#queue.size > 0 ? this.flush() : Promise.resolve());
  }

  /** How many records wait because the store did not take them; 0 in good times, when they only wait for company. */
  get waiting(): number {
    return this.#storedLate === undefined ? 0 : this.#queue.size;
  }

  add(record: UsageRecord): void {
    this.#calls.ended(record);
    if (this.#db === undefined) return;
    const { budgets, estimate } = record;
    const row: WaitingUsage = {
      ...toUsageRow(record),
      ...optional('budgets', budgets),
      ...optional('estimate', estimate),
    };
    if (budgets !== undefined) this.#budgets.noteEnded(row.id, budgets, spendingOf(row));
    try {
      this.#queue.add(row);
    } catch (err) {
      if (this.#dropped++ % TELL_DROPPED === 0)
        this.#log.error(
          { err, records: this.#dropped },
          'usage was dropped: neither the database nor a file could store it',
        );
    }
    if (this.#queue.problem !== this.#toldProblem) this.#tellProblem();
    if (budgets === undefined || this.#retryMs > 0) this.#schedule(GATHER_MS);
    else this.#flushSoon();
  }

  /** Resolves when everything added so far is stored, or the store did not take it. Of a long backlog a part is stored. */
  flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    if (this.#db !== undefined) this.#writing = this.#writing.then(() => this.#store());
    return this.#writing;
  }

  /** Stores what can be stored. The rest waits in files for the next process. */
  async close(): Promise<void> {
    // A store that is away would only hold up the stop.
    await (this.#retryMs === 0 ? this.flush() : this.#writing);
    clearTimeout(this.#timer);
    const left = this.#queue.size;
    if (left > 0) this.#log.warn({ records: left }, 'usage is saved in the data folder; the next start stores it');
    this.#queue.close();
  }

  #schedule(ms: number): void {
    this.#timer ??= setTimeout(() => void this.flush(), Math.max(ms, this.#retryMs)).unref();
  }

  /** What counts towards a budget is stored at once, for the other servers that count towards it. */
  #flushSoon(): void {
    if (this.#isSoon) return;
    this.#isSoon = true;
    setTurn(() => {
      this.#isSoon = false;
      void this.flush();
    });
  }

  async #store(): Promise<void> {
    let stored = 0;
    try {
      while (stored < MAX_FLUSHED) {
        const rows = await this.#queue.peek(MAX_ROWS);
        if (rows.length === 0) break;
        await this.#insert(rows);
        this.#queue.take(rows.length);
        stored += rows.length;
        await setImmediate();
      }
      this.#noteStored(stored);
    } catch (error) {
      this.#noteFailure(error);
    }
    if (this.#queue.size > 0) this.#schedule(0);
  }

  /** One that the store refuses for what it says is passed over, so that it does not hold up the others. */
  async #insert(rows: readonly WaitingUsage[]): Promise<void> {
    try {
      await storeUsage(this.#db!, rows);
    } catch (error) {
      if (!isPermanentStoreError(error)) throw error;
      if (rows.length > 1) for (const row of rows) await this.#insert([row]);
      else this.#log.error({ err: error, id: rows[0]?.id }, 'a usage record was dropped: the database refuses it');
    }
    for (const { id, budgets } of rows) if (budgets !== undefined) this.#budgets.noteStored(id);
  }

  #noteStored(stored: number): void {
    this.#retryMs = 0;
    if (this.#storedLate === undefined) return;
    this.#storedLate += stored;
    if (this.#queue.size >= MAX_ROWS) return;
    this.#log.info({ records: this.#storedLate }, 'the waiting usage is stored');
    this.#storedLate = undefined;
  }

  #noteFailure(err: unknown): void {
    if (this.#storedLate === undefined)
      this.#log.warn({ err }, 'usage could not be stored; it will be stored when the database is back');
    this.#storedLate ??= 0;
    this.#retryMs = Math.min(LAST_RETRY_MS, Math.max(FIRST_RETRY_MS, this.#retryMs * 2));
  }

  #tellProblem(): void {
    const [told, err] = [this.#toldProblem, this.#queue.problem];
    this.#toldProblem = err;
    if (err !== undefined && told === undefined)
      this.#log.error({ err }, 'usage cannot be written to the data folder; it is only kept in memory');
  }
}
