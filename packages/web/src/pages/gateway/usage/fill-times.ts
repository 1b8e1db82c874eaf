import type { UsageRow } from '@dragoman/protocol/console';

const NOTHING = {
  calls: 0,
  errors: 0,
  inputTokens: 0,
  outputTokens: 0,
  cacheReadTokens: 0,
  costDollars: 0,
  unpricedCalls: 0,
  redactions: 0,
  repairs: 0,
} satisfies Omit<UsageRow, 'key'>;

/** A row for every hour or day, the oldest first: those without a call are some, too. */
export function fillTimes(rows: readonly UsageRow[], times: readonly { key: string }[]): UsageRow[] {
  const known = new Map(rows.map((row) => [row.key, row]));
  return times.map(({ key }) => known.get(key) ?? { ...NOTHING, key });
}
