import { MAX_NAME } from './request-info.ts';
import type { UsageRecord } from './usage-record.ts';
import type { UsageTables } from './usage-tables.ts';

/** A record as the store keeps it, and the journal until then. */
export type UsageLogRow = UsageTables['usage_log'];

/** A row that waits, with the budgets its call counts towards. */
export type WaitingUsage = UsageLogRow & Pick<UsageRecord, 'budgets' | 'estimate'>;

/** A record as a row. Names that clients made up are cut, and hold nothing that a database refuses. */
export function toUsageRow(record: UsageRecord): UsageLogRow {
  const { usage, cost } = record;
  return {
    id: record.id,
    at: record.at,
    user_id: record.userId,
    user_name: record.userName,
    token_name: record.tokenName,
    dialect: record.dialect,
    route: toName(record.route),
    target: toName(record.target),
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
    failures: record.failures === undefined ? null : JSON.stringify(record.failures),
  };
}

/** PostgreSQL takes no zero characters. */
function toName(said: string): string {
  const cut = said.length > MAX_NAME ? said.slice(0, MAX_NAME) : said;
  return cut.includes('\0') ? cut.replaceAll('\0', '\uFFFD') : cut;
}
