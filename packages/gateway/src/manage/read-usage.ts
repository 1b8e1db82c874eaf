import type { UsageRow } from '@dragoman/protocol/console';
import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { UsageTables } from '../metering/usage-tables.ts';
import { optional } from '../optional.ts';
import { OFFLINE_PROVIDER } from '../routing/resolve-route.ts';

const DAY_MS = 86_400_000;

/** What calls are grouped by. */
export type UsageKey = 'day' | 'model' | 'route' | 'token';

/** Who may see whose tokens. */
export interface UsageViewer {
  /** Theirs are named, and those of others are one row without a name; an admin, of whom nothing is said here, sees all. */
  ownUserId?: string | undefined;
}

function keyOf(by: UsageKey, { ownUserId }: UsageViewer): RawBuilder<string | number> {
  if (by === 'day') return sql`at / ${sql.lit(DAY_MS)}`;
  if (by === 'model') return sql`target`;
  if (by === 'route') return sql`route`;
  const name = sql<string>`user_name || '/' || token_name`;
  return ownUserId === undefined ? name : sql`case when user_id = ${sql.lit(ownUserId)} then ${name} else '' end`;
}

/**
 * Calls that a provider took and whose price or tokens nobody knows. What failed before an answer began cost nothing, as far
 * as one can tell, and the offline model costs nothing.
 */
const UNPRICED = sql<number>`case when cost_micros is null and target <> ''
  and (coalesce(input_tokens, 0) + coalesce(output_tokens, 0) > 0 or error_code is null or first_event_ms is not null)
  and target not like ${sql.lit(`${OFFLINE_PROVIDER}/%`)} then 1 else 0 end`;

/** Calls, tokens and cost of the last days, by day, model, route or token. */
export async function readUsage(
  db: Kysely<UsageTables>,
  by: UsageKey,
  days: number,
  viewer: UsageViewer = {},
): Promise<UsageRow[]> {
  const key = keyOf(by, viewer);
  const rows = await db
    .selectFrom('usage_log')
    .where('at', '>=', Date.now() - days * DAY_MS)
    .select([
      key.as('key'),
      sql<number>`count(*)`.as('calls'),
      sql<number>`sum(case when error_code is null or finish_reason = 'cancelled' then 0 else 1 end)`.as('errors'),
      sql<number>`coalesce(sum(input_tokens), 0)`.as('inputTokens'),
      sql<number>`coalesce(sum(output_tokens), 0)`.as('outputTokens'),
      sql<number>`coalesce(sum(cache_read_tokens), 0)`.as('cacheReadTokens'),
      sql<number>`coalesce(sum(cache_write_tokens), 0)`.as('cacheWriteTokens'),
      sql<number>`coalesce(sum(cost_micros), 0)`.as('costMicros'),
      sql<number>`sum(${UNPRICED})`.as('unpricedCalls'),
      sql<number>`sum(redactions)`.as('redactions'),
      sql<number>`sum(repairs)`.as('repairs'),
    ])
    .groupBy(key)
    .orderBy(key)
    .execute();
  return rows.map((row) => ({
    key: by === 'day' ? new Date(Number(row.key) * DAY_MS).toISOString().slice(0, 10) : String(row.key),
    calls: Number(row.calls), // A sum is text in PostgreSQL, because it may be larger than any number.
    errors: Number(row.errors),
    inputTokens: Number(row.inputTokens),
    outputTokens: Number(row.outputTokens),
    cacheReadTokens: Number(row.cacheReadTokens),
    cacheWriteTokens: Number(row.cacheWriteTokens),
    ...optional('cacheShare', shareOf(Number(row.cacheReadTokens), Number(row.inputTokens))),
    costDollars: knownCost(Number(row.costMicros), Number(row.unpricedCalls)),
    unpricedCalls: Number(row.unpricedCalls),
    redactions: Number(row.redactions),
    repairs: Number(row.repairs),
  }));
}

function knownCost(micros: number, unpricedCalls: number): number | null {
  return micros === 0 && unpricedCalls > 0 ? null : micros / 1_000_000;
}

/** With four digits, which is more than anybody compares. */
function shareOf(cacheReadTokens: number, inputTokens: number): number | undefined {
  return inputTokens === 0 ? undefined : Math.round(Math.min(1, cacheReadTokens / inputTokens) * 10_000) / 10_000;
}
