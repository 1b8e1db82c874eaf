import { setImmediate } from 'node:timers/promises';
import type { Kysely } from 'kysely';
import type { CallWatch } from './call-watch.ts';
import { MAX_NAME } from './request-info.ts';
import type { UsageRecord } from './usage-record.ts';
import type { UsageTables } from './usage-tables.ts';

/** Records wait this long for company: one write for all of a busy half second. */
const GATHER_MS = 500;
/** Few rows at a time: putting a large statement together would hold up the streams that are running. */
const MAX_ROWS = 20;

/** Keeps a record of every model call, and tells whoever watches. A database that is slow or away slows no answer down. */
export class UsageLog {
  readonly #db: Kysely<UsageTables> | undefined;
  readonly #calls: CallWatch;
  readonly #onError: (error: unknown) => void;
  #waiting: UsageRecord[] = [];
  #timer: NodeJS.Timeout | undefined;
  #writing: Promise<void> = Promise.resolve();

  constructor(db: Kysely<UsageTables> | undefined, calls: CallWatch, onError: (error: unknown) => void) {
    this.#db = db;
    this.#calls = calls;
    this.#onError = onError;
  }

  add(record: UsageRecord): void {
    this.#calls.ended(record);
    if (this.#db === undefined) return;
    this.#waiting.push(record);
    this.#timer ??= setTimeout(() => void this.flush(), GATHER_MS).unref();
  }

  /** Resolves when everything added so far is stored. */
  flush(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const records = this.#waiting;
    this.#waiting = [];
    this.#writing = this.#writing.then(() => this.#write(records));
    return this.#writing;
  }

  async #write(records: readonly UsageRecord[]): Promise<void> {
    try {
      for (let start = 0; start < records.length; start += MAX_ROWS) {
        const rows = records.slice(start, start + MAX_ROWS).map(toRow);
        await this.#db!.insertInto('usage_log').values(rows).execute();
        await setImmediate();
      }
    } catch (error) {
      this.#onError(error);
    }
  }
}

function toRow(record: UsageRecord): UsageTables['usage_log'] {
  const { usage, cost } = record;
  return {
    id: record.id,
    at: record.at,
    user_id: record.userId,
    user_name: record.userName,
    token_name: record.tokenName,
    dialect: record.dialect,
    route: record.route.slice(0, MAX_NAME),
    target: record.target.slice(0, MAX_NAME),
    is_streamed: record.isStreamed ? 1 : 0,
    input_tokens: usage?.inputTokens ?? null,
    output_tokens: usage?.outputTokens ?? null,
    reasoning_tokens: usage?.reasoningTokens ?? null,
    cache_read_tokens: usage?.cacheReadTokens ?? null,
    cache_write_tokens: usage?.cacheWriteTokens ?? null,
    cost_micros: cost === undefined ? null : Math.round(cost.dollars * 1_000_000),
    cost_source: cost?.source ?? null,
    first_event_ms: record.firstEventMs === undefined ? null : Math.round(record.firstEventMs),
    total_ms: Math.round(record.totalMs),
    finish_reason: record.finishReason,
    error_code: record.errorCode ?? null,
    repairs: record.repairs,
    redactions: record.redactions,
    attempts: record.attempts,
  };
}
