import type { RequestInfo } from '@dragoman/protocol/console';
import type { Kysely } from 'kysely';
import { readFailures } from '../metering/call-failure.ts';
import type { UsageTables } from '../metering/usage-tables.ts';
import { optional } from '../optional.ts';

/** The latest calls, the newest first: those in the store, and among them the refusals that are only remembered. */
export async function listRequests(
  db: Kysely<UsageTables>,
  refusals: readonly RequestInfo[],
  limit: number,
): Promise<RequestInfo[]> {
  const rows = await db
    .selectFrom('usage_log')
    .selectAll()
    .orderBy('at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .execute();
  return [...rows.map(requestInfoOf), ...refusals]
    .sort((one, other) => other.at - one.at || (other.id < one.id ? -1 : 1))
    .slice(0, limit);
}

/** A call as the log of requests shows it, of what is stored. */
export function requestInfoOf(row: UsageTables['usage_log']): RequestInfo {
  return {
    id: row.id,
    at: row.at,
    userName: row.user_name,
    tokenName: row.token_name,
    dialect: row.dialect,
    route: row.route,
    target: row.target,
    isStreamed: row.is_streamed === 1,
    ...optional('inputTokens', row.input_tokens),
    ...optional('outputTokens', row.output_tokens),
    ...optional('costDollars', row.cost_micros === null ? null : row.cost_micros / 1_000_000),
    ...optional('firstEventMs', row.first_event_ms),
    totalMs: row.total_ms,
    finishReason: row.finish_reason,
    ...optional('errorCode', row.error_code),
    attempts: row.attempts,
    redactions: row.redactions,
    repairs: row.repairs,
    ...optional('failures', readFailures(row.failures)),
  };
}
