import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { UsageTables } from '../metering/usage-tables.ts';
import { OFFLINE_PROVIDER } from '../routing/resolve-route.ts';
import { stepOf } from './latencies.ts';
import { UsageTally } from './usage-tally.ts';

/**
 * Calls that a provider took and whose price or tokens nobody knows. What failed before an answer began cost nothing, as far
 * as one can tell, and the offline model costs nothing.
 */
const UNPRICED = sql<number>`case when cost_micros is null and target <> ''
  and (coalesce(input_tokens, 0) + coalesce(output_tokens, 0) > 0 or error_code is null or first_event_ms is not null)
  and target not like ${sql.lit(`${OFFLINE_PROVIDER}/%`)} then 1 else 0 end`;

/** Of calls that came to their end: how long others took says nothing about the provider. */
const WHOLE = sql<number>`case when error_code is null and finish_reason <> 'cancelled' then total_ms end`;
/** An answer in one piece has no first token to wait for. */
const FIRST = sql<number>`case when error_code is null and is_streamed = 1 then first_event_ms end`;

/** The calls of a while, added up under each key. */
export async function tallyCalls(
  db: Kysely<UsageTables>,
  key: RawBuilder<string>,
  from: number,
  to: number,
): Promise<Map<string, UsageTally>> {
  const calls = db.selectFrom('usage_log').where('at', '>=', from).where('at', '<', to);
  const [whole, first] = [stepOf(WHOLE), stepOf(FIRST)];
  const amounts = await calls
    .select([
      key.as('key'),
      whole.as('ms'),
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
    .groupBy(sql`1, 2`)
    .execute();
  const begun = await calls
    .where(FIRST, 'is not', null)
    .select([key.as('key'), first.as('ms'), sql<number>`count(*)`.as('calls')])
    .groupBy(sql`1, 2`)
    .execute();
  const tallies = new Map<string, UsageTally>();
  for (const row of amounts) {
    const tally = tallyOf(tallies, row.key);
    tally.add(row);
    if (row.ms !== null) tally.totals.add(Number(row.ms), Number(row.calls));
  }
  for (const row of begun) tallyOf(tallies, row.key).firstEvents.add(Number(row.ms), Number(row.calls));
  return tallies;
}

/** The tally of a key, which is made where there is none. */
export function tallyOf(tallies: Map<string, UsageTally>, key: string): UsageTally {
  let tally = tallies.get(key);
  if (tally === undefined) tallies.set(key, (tally = new UsageTally()));
  return tally;
}
