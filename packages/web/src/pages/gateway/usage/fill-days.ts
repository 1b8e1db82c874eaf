import type { UsageRow } from '@dragoman/protocol/console';

const DAY_MS = 86_400_000;

/** A row for every day of the last days in UTC, the oldest first: days without a call are days, too. */
export function fillDays(rows: readonly UsageRow[], days: number, now: number): UsageRow[] {
  const byDay = new Map(rows.map((row) => [row.key, row]));
  const first = dayOf(now - (days - 1) * DAY_MS);
  // The window does not begin at midnight, so a part of the day before may be in it.
  const before = rows.filter(({ key }) => key < first).toSorted((one, other) => (one.key < other.key ? -1 : 1));
  const filled = Array.from({ length: days }, (_, index) => {
    const key = dayOf(now - (days - 1 - index) * DAY_MS);
    return byDay.get(key) ?? { ...NOTHING, key };
  });
  return [...before, ...filled];
}

/** Everything together. */
export function sumOf(rows: readonly UsageRow[]): UsageRow {
  const sum = { ...NOTHING };
  for (const row of rows) for (const name of AMOUNTS) sum[name] += row[name] ?? 0;
  return sum.costDollars === 0 && sum.unpricedCalls > 0 ? { ...sum, costDollars: null } : sum;
}

const AMOUNTS = [
  'calls',
  'errors',
  'inputTokens',
  'outputTokens',
  'cacheReadTokens',
  'costDollars',
  'unpricedCalls',
  'redactions',
  'repairs',
] as const;
const NOTHING = {
  key: '',
  calls: 0,
  errors: 0,
  inputTokens: 0,
  outputTokens: 0,
  cacheReadTokens: 0,
  costDollars: 0,
  unpricedCalls: 0,
  redactions: 0,
  repairs: 0,
} satisfies UsageRow;

/** How much of what went in came from a cache; nothing where nothing went in. */
export function cacheShare({ inputTokens, cacheReadTokens }: UsageRow): number | undefined {
  return inputTokens === 0 ? undefined : Math.min(1, cacheReadTokens / inputTokens);
}

function dayOf(at: number): string {
  return new Date(at).toISOString().slice(0, 10);
}
