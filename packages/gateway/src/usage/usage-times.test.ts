import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { beginOf, daysSince, hoursSince } from './usage-times.ts';
import { ZoneClock } from './zone-clock.ts';

const at = (text: string) => Date.parse(text);
const hoursOf = (timeZone: string, now: string, days = 1) => {
  const clock = new ZoneClock(timeZone);
  return hoursSince(beginOf(days, at(now), clock), at(now), clock);
};
const daysOf = (timeZone: string, now: string, days: number) => {
  const clock = new ZoneClock(timeZone);
  return daysSince(beginOf(days, at(now), clock), at(now), clock);
};
const HOUR = 3_600_000;

describe('days', () => {
  test('begin at midnight of the zone, and today is the last', () => {
    expect(
      daysOf('Asia/Shanghai', '2026-03-01T17:30:00Z', 3).map(({ key, from }) => [key, new Date(from).toJSON()]),
    ).toEqual([
      ['2026-02-28', '2026-02-27T16:00:00.000Z'],
      ['2026-03-01', '2026-02-28T16:00:00.000Z'],
      ['2026-03-02', '2026-03-01T16:00:00.000Z'],
    ]);
  });

  test.each([
    ['Europe/Berlin', '2026-03-30T12:00:00Z', [24, 23, 24]],
    ['Europe/Berlin', '2026-10-26T12:00:00Z', [24, 25, 24]],
    ['Australia/Lord_Howe', '2026-04-06T01:00:00Z', [24, 24.5, 24]],
    ['Asia/Kolkata', '2026-03-30T12:00:00Z', [24, 24, 24]],
  ])('in %s before %s have %j hours', (timeZone, now, hours) => {
    expect(daysOf(timeZone, now, 3).map(({ from, to }) => (to - from) / HOUR)).toEqual(hours);
  });

  test('begin later where clocks are put on at midnight, and with the first of two midnights', () => {
    const beginning = (timeZone: string, now: string) => new Date(daysOf(timeZone, now, 2).at(-1)!.from).toJSON();
    expect(beginning('America/Santiago', '2026-09-06T15:00:00Z')).toBe('2026-09-06T04:00:00.000Z');
    expect(beginning('America/Havana', '2026-11-01T15:00:00Z')).toBe('2026-11-01T04:00:00.000Z');
  });
});

describe('hours', () => {
  test('of the last day are 24 whole ones of the zone, the last of which is not over', () => {
    const hours = hoursOf('Asia/Kolkata', '2026-05-01T12:10:00Z');
    expect(hours).toHaveLength(24);
    expect(hours[0]).toEqual({
      key: '2026-04-30T18:00+05:30',
      from: at('2026-04-30T12:30:00Z'),
      to: at('2026-04-30T13:30:00Z'),
    });
    expect(hours.at(-1)).toMatchObject({ key: '2026-05-01T17:00+05:30', from: at('2026-05-01T11:30:00Z') });
  });

  const keysAround = (timeZone: string, now: string, hour: string) =>
    hoursOf(timeZone, now)
      .map(({ key }) => key)
      .filter((key) => key.includes(hour));

  test('that clocks skip are not there, and those that come twice are two', () => {
    expect(keysAround('Europe/Berlin', '2026-03-29T10:00:00Z', 'T02:00')).toEqual([]);
    expect(keysAround('Europe/Berlin', '2026-10-25T10:00:00Z', 'T02:00')).toEqual([
      '2026-10-25T02:00+02:00',
      '2026-10-25T02:00+01:00',
    ]);
  });

  test('end where clocks are put back by half an hour', () => {
    const hours = hoursOf('Australia/Lord_Howe', '2026-04-05T01:00:00Z').filter(({ key }) => key.includes('T01:00'));
    expect(hours.map(({ key, from, to }) => [key, (to - from) / HOUR])).toEqual([
      ['2026-04-05T01:00+11:00', 1],
      ['2026-04-05T01:00+10:30', 0.5],
    ]);
  });
});

const ZONES = [
  'UTC',
  'Europe/Berlin',
  'America/New_York',
  'America/St_Johns',
  'America/Santiago',
  'America/Havana',
  'Africa/Cairo',
  'Africa/Casablanca',
  'Asia/Beirut',
  'Asia/Kolkata',
  'Asia/Kathmandu',
  'Australia/Lord_Howe',
  'Pacific/Chatham',
  'Pacific/Kiritimati',
  'Pacific/Pago_Pago',
];

test('hours and days follow each other without a gap, each named once and as a clock on the wall would', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...ZONES),
      fc.integer({ min: at('2024-01-01'), max: at('2032-01-01') }),
      fc.integer({ min: 1, max: 12 }),
      fc.double({ min: 0, max: 1, noNaN: true }),
      (timeZone, now, days, share) => {
        const clock = new ZoneClock(timeZone);
        const begin = beginOf(days, now, clock);
        const moment = Math.floor(begin + (now - begin) * share);
        const shown = wall(timeZone, moment);
        for (const [times, length] of [
          [hoursSince(begin, now, clock), 13],
          [daysSince(begin, now, clock), 10],
        ] as const) {
          expect(times[0]!.from).toBe(begin);
          for (const { from, to } of times) expect(to).toBeGreaterThan(from);
          expect(times.slice(1).map(({ from }) => from)).toEqual(times.slice(0, -1).map(({ to }) => to));
          expect(times.at(-1)!.from).toBeLessThanOrEqual(now);
          expect(times.at(-1)!.to).toBeGreaterThan(now);
          expect(new Set(times.map(({ key }) => key)).size).toBe(times.length);
          const holding = times.find(({ from, to }) => from <= moment && moment < to)!;
          expect(holding.key.slice(0, length)).toBe(shown.slice(0, length));
        }
        // The last 24 hours are in two days, or in three where a day has 23 of them and now is its first.
        const most = days === 1 ? 3 : days;
        expect(daysSince(begin, now, clock).length).toBeGreaterThanOrEqual(Math.min(days, 2));
        expect(daysSince(begin, now, clock).length).toBeLessThanOrEqual(most);
      },
    ),
  );
});

/** What a clock shows, by another way than the one that is tried. */
function wall(timeZone: string, moment: number): string {
  return new Date(moment).toLocaleString('sv-SE', { timeZone }).replace(' ', 'T');
}
