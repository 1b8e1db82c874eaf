import { openStore } from '@dragoman/server';
import { freshLocation, STORE_ENGINES } from '@dragoman/testkit';
import fc from 'fast-check';
import { describe, expect, onTestFinished, test } from 'vitest';
import { usageRecord } from '../metering/usage-record.fixture.ts';
import type { UsageRecord } from '../metering/usage-record.ts';
import { toUsageRow } from '../metering/usage-row.ts';
import { gatewayMigrations, type UsageTables } from '../metering/usage-tables.ts';
import { readUsage, type UsageQuestion } from './read-usage.ts';

const at = (text: string) => Date.parse(text);

/** A log with these calls, each with an id of its own. */
async function openUsage(engine: (typeof STORE_ENGINES)[number], records: readonly UsageRecord[] = []) {
  const store = await openStore(await freshLocation(engine), { rooms: [gatewayMigrations] });
  onTestFinished(() => store.close());
  const db = store.tables<UsageTables>();
  const fill = async (more: readonly UsageRecord[]) => {
    await db.deleteFrom('usage_log').execute();
    const rows = more.map((record, index) => ({ ...toUsageRow(record), id: `call_${index}` }));
    for (let first = 0; first < rows.length; first += 1000)
      await db
        .insertInto('usage_log')
        .values(rows.slice(first, first + 1000))
        .execute();
  };
  await fill(records);
  const read = (question: Omit<UsageQuestion, 'days'> & { days?: number }) => readUsage(db, { days: 30, ...question });
  return { fill, read };
}

describe.each(STORE_ENGINES)('on %s', (engine) => {
  test('a call belongs to the hour and the day that its zone shows', async () => {
    const now = at('2026-10-25T03:10:00Z');
    const times = ['2026-10-24T21:59:59Z', '2026-10-24T22:00:00Z', '2026-10-25T00:30:00Z', '2026-10-25T01:30:00Z'];
    const { read } = await openUsage(
      engine,
      times.map((time) => usageRecord(at(time))),
    );
    const keys = async (by: 'hour' | 'day', timeZone: string) =>
      (await read({ by, timeZone, now, days: by === 'hour' ? 1 : 30 })).rows.map(({ key, calls }) => [key, calls]);

    expect(await keys('day', 'UTC')).toEqual([
      ['2026-10-24', 2],
      ['2026-10-25', 2],
    ]);
    expect(await keys('day', 'Europe/Berlin')).toEqual([
      ['2026-10-24', 1],
      ['2026-10-25', 3],
    ]);
    expect(await keys('hour', 'Europe/Berlin')).toEqual([
      ['2026-10-24T23:00+02:00', 1],
      ['2026-10-25T00:00+02:00', 1],
      ['2026-10-25T02:00+02:00', 1],
      ['2026-10-25T02:00+01:00', 1],
    ]);
    expect(await keys('hour', 'Asia/Kolkata')).toEqual([
      ['2026-10-25T03:00+05:30', 2],
      ['2026-10-25T06:00+05:30', 1],
      ['2026-10-25T07:00+05:30', 1],
    ]);
  });

  test('every hour and day is told, also those without a call, and when the first call was', async () => {
    const now = at('2026-05-04T10:20:00Z');
    const { read, fill } = await openUsage(engine, [usageRecord(at('2026-05-04T09:59:00Z'))]);
    const { rows, times, firstAt } = await read({ by: 'hour', days: 1, timeZone: 'UTC', now });
    expect(rows).toMatchObject([{ key: '2026-05-04T09:00+00:00', calls: 1 }]);
    expect(times).toHaveLength(24);
    expect(times!.at(-1)).toEqual({ key: '2026-05-04T10:00+00:00', startsAt: at('2026-05-04T10:00:00Z') });
    expect(firstAt).toBe(at('2026-05-04T09:59:00Z'));
    await fill([]);
    const nothing = await read({ by: 'day', days: 7, timeZone: 'UTC', now });
    expect(nothing).toMatchObject({ rows: [], total: { calls: 0, costDollars: 0 } });
    expect(nothing.times).toHaveLength(7);
    expect(nothing).not.toHaveProperty('firstAt');
  });

  test('how long calls took is told of those that came to an end, the first token only of streamed ones', async () => {
    const now = at('2026-05-04T10:20:00Z');
    const hundred = Array.from({ length: 100 }, (_, index) =>
      usageRecord(now - 1000, { firstEventMs: 20 * index, totalMs: 100 * index }),
    );
    const { read } = await openUsage(engine, [
      ...hundred,
      usageRecord(now, { isStreamed: false, firstEventMs: 90_000, totalMs: 50 }),
      usageRecord(now, { errorCode: 'timed-out', finishReason: 'error', totalMs: 600_000 }),
      usageRecord(now, { finishReason: 'cancelled', errorCode: 'cancelled', totalMs: 600_000 }),
    ]);
    const { rows, total } = await read({ by: 'model', timeZone: 'UTC', now });
    const took = { firstEventMs: { median: 985, p95: 1_850 }, totalMs: { median: 5_050 - 100, p95: 9_450 } };
    expect(rows).toMatchObject([{ key: 'fake/m', calls: 103, ...took }]);
    expect(total).toMatchObject({ calls: 103, ...took });
  });

  test('more calls than are added up at once are all counted, each once', async () => {
    const now = at('2026-05-04T10:20:00Z');
    const many = Array.from({ length: 9_000 }, (_, index) =>
      usageRecord(now - index * 60_000, { target: `fake/m${index % 3}`, totalMs: index % 2 === 0 ? 100 : 200 }),
    );
    const { read } = await openUsage(engine, many);
    const { rows, total } = await read({ by: 'model', timeZone: 'UTC', now });
    expect(rows.map(({ key, calls }) => [key, calls])).toEqual([
      ['fake/m0', 3000],
      ['fake/m1', 3000],
      ['fake/m2', 3000],
    ]);
    expect(total).toMatchObject({ calls: 9000, inputTokens: 90_000, totalMs: { median: 105, p95: 205 } });
    expect((await read({ by: 'hour', days: 8, timeZone: 'Asia/Kolkata', now })).total).toEqual(total);
  });

  test('grouped by whatever, the same calls add up to the same', async () => {
    const { fill, read } = await openUsage(engine);
    const now = at('2026-03-29T20:00:00Z');
    const record = fc
      .record({
        ago: fc.integer({ min: 0, max: 12 * 24 * 60 * 60 * 1000 }),
        target: fc.constantFrom('a/m', 'b/m', ''),
        totalMs: fc.integer({ min: 0, max: 400_000 }),
        errorCode: fc.constantFrom(undefined, 'unavailable'),
        isPriced: fc.boolean(),
      })
      .map(({ ago, isPriced, ...rest }) =>
        usageRecord(now - ago, { ...rest, cost: isPriced ? { dollars: 0.25, source: 'computed' } : undefined }),
      );
    await fc.assert(
      fc.asyncProperty(
        fc.array(record, { maxLength: 40 }),
        fc.constantFrom('UTC', 'Europe/Berlin', 'Asia/Kathmandu', 'America/New_York'),
        fc.constantFrom(1, 3, 9),
        async (records, timeZone, days) => {
          await fill(records);
          const told = await Promise.all(
            (['hour', 'day', 'model', 'route', 'token'] as const).map((by) => read({ by, timeZone, days, now })),
          );
          const [first, ...others] = told;
          for (const { total } of others) expect(total).toEqual(first!.total);
          for (const { rows, total } of told) expect(rows.reduce((sum, { calls }) => sum + calls, 0)).toBe(total.calls);
        },
      ),
      { numRuns: 15 },
    );
  });
});
