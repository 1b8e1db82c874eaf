import { setImmediate as nextTurn } from 'node:timers/promises';
import type { UsageRow } from '@dragoman/protocol/console';
import { type Kysely, type RawBuilder, sql } from 'kysely';
import type { UsageTables } from '../metering/usage-tables.ts';
import { tallyCalls, tallyOf } from './tally-calls.ts';
import { UsageTally } from './usage-tally.ts';
import { beginOf, daysSince, hoursSince, type UsageTime } from './usage-times.ts';
import { ZoneClock } from './zone-clock.ts';

/** So many calls are added up at once; others are answered in between, as a store may work on this thread. */
const AT_ONCE = 4_000;
/** So many hours or days are told apart in one question to the store. */
const MOST_TIMES = 32;

/** What calls are grouped by. */
type UsageKey = 'hour' | 'day' | 'model' | 'route' | 'token';

/** What is asked of the usage. */
export interface UsageQuestion {
  by: UsageKey;
  /** Today and the days before it, by the calendar of the zone; 1 is the last 24 hours. */
  days: number;
  /** Its IANA name. */
  timeZone: string;
  now: number;
  /** Whose tokens are named, those of others being one row without a name; an admin, of whom nothing is said here, sees all. */
  ownUserId?: string | undefined;
}

/** Usage as it is told. */
export interface Usage {
  /** Only what was used; an hour without a call has no row. */
  rows: UsageRow[];
  /** All of it together. */
  total: UsageRow;
  /** Every hour or day of the time, where it is grouped by them. */
  times?: { key: string; startsAt: number }[];
  /** When the first call was made that is still known. */
  firstAt?: number;
}

/** Calls, tokens, cost and how long it took of the last days, by hour, day, model, route or token. */
export async function readUsage(db: Kysely<UsageTables>, question: UsageQuestion): Promise<Usage> {
  const { by, days, now } = question;
  const clock = new ZoneClock(question.timeZone);
  const begin = beginOf(days, now, clock);
  const { firstAt } = await db
    .selectFrom('usage_log')
    .select(sql<number | string | null>`min(at)`.as('firstAt'))
    .executeTakeFirstOrThrow();
  const times = by === 'hour' ? hoursSince(begin, now, clock) : by === 'day' ? daysSince(begin, now, clock) : undefined;
  const tallies = times === undefined ? await tallyByKey(db, keyOf(question), begin) : await tallyByTime(db, times);
  const total = new UsageTally();
  for (const tally of tallies.values()) total.merge(tally);
  return {
    rows: [...tallies].map(([key, tally]) => tally.toRow(key)),
    total: total.toRow(''),
    ...(times && { times: times.map(({ key, from }) => ({ key, startsAt: from })) }),
    ...(firstAt === null ? {} : { firstAt: Number(firstAt) }),
  };
}

function keyOf({ by, ownUserId }: UsageQuestion): RawBuilder<string> {
  if (by === 'model') return sql`target`;
  if (by === 'route') return sql`route`;
  const name = sql<string>`user_name || '/' || token_name`;
  return ownUserId === undefined ? name : sql`case when user_id = ${sql.lit(ownUserId)} then ${name} else '' end`;
}

/** What was noted in the future, by a clock that was wrong, counts as of the last hour or day. */
async function tallyByTime(db: Kysely<UsageTables>, times: readonly UsageTime[]): Promise<Map<string, UsageTally>> {
  const tallies = new Map<string, UsageTally>();
  const { pieces } = await spreadSince(db, times[0]!.from);
  const together = Math.max(1, Math.min(MOST_TIMES, Math.floor(times.length / pieces)));
  for (let first = 0; first < times.length; first += together) {
    const some = times.slice(first, first + together);
    const to = first + together < times.length ? some.at(-1)!.to : Number.MAX_SAFE_INTEGER;
    const found = await tallyCalls(db, timeOf(some), some[0]!.from, to);
    for (const { key } of some) if (found.has(key)) tallies.set(key, found.get(key)!);
    await nextTurn();
  }
  return tallies;
}

/** The key of the time that a call belongs to. */
function timeOf(times: readonly UsageTime[]): RawBuilder<string> {
  const cases = times.map(({ key, to }) => sql`when at < ${sql.lit(to)} then ${sql.lit(key)}`);
  return sql`case ${sql.join(cases, sql` `)} else ${sql.lit(times.at(-1)!.key)} end`;
}

async function tallyByKey(
  db: Kysely<UsageTables>,
  key: RawBuilder<string>,
  begin: number,
): Promise<Map<string, UsageTally>> {
  const tallies = new Map<string, UsageTally>();
  const { pieces, last } = await spreadSince(db, begin);
  const length = Math.ceil((last + 1 - begin) / pieces);
  for (let piece = 0; piece < pieces; piece++) {
    const from = begin + piece * length;
    const to = piece === pieces - 1 ? Number.MAX_SAFE_INTEGER : from + length;
    for (const [name, tally] of await tallyCalls(db, key, from, to)) tallyOf(tallies, name).merge(tally);
    await nextTurn();
  }
  return new Map([...tallies].toSorted(([one], [other]) => (one < other ? -1 : 1)));
}

/** In how many pieces the calls since a moment are added up, and when the last of them was. */
async function spreadSince(db: Kysely<UsageTables>, begin: number): Promise<{ pieces: number; last: number }> {
  const { calls, last } = await db
    .selectFrom('usage_log')
    .where('at', '>=', begin)
    .select([sql<number | string>`count(*)`.as('calls'), sql<number | string | null>`max(at)`.as('last')])
    .executeTakeFirstOrThrow();
  return { pieces: Math.max(1, Math.ceil(Number(calls) / AT_ONCE)), last: Number(last ?? begin) };
}
