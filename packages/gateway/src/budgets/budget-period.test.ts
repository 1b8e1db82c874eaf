import fc from 'fast-check';
import { expect, test } from 'vitest';
import { periodAt } from './budget-period.ts';

const MOMENT = fc.integer({ min: Date.UTC(1970), max: Date.UTC(2200) });
const PER = fc.constantFrom('hour', 'day', 'week', 'month');
const iso = (time: number) => new Date(time).toISOString();

test.each([
  ['hour', '2026-11-17T15:00:00.000Z', '2026-11-17T16:00:00.000Z'],
  ['day', '2026-11-17T00:00:00.000Z', '2026-11-18T00:00:00.000Z'],
  ['week', '2026-11-16T00:00:00.000Z', '2026-11-23T00:00:00.000Z'],
  ['month', '2026-11-01T00:00:00.000Z', '2026-12-01T00:00:00.000Z'],
] as const)('the %s of a Tuesday afternoon', (per, starts, ends) => {
  const { startsAt, endsAt } = periodAt(per, Date.parse('2026-11-17T15:51:14.321Z'));
  expect([iso(startsAt), iso(endsAt)]).toEqual([starts, ends]);
});

test('every moment lies in its period, and periods follow each other without a gap', () => {
  fc.assert(
    fc.property(PER, MOMENT, (per, at) => {
      const period = periodAt(per, at);
      expect(period.startsAt).toBeLessThanOrEqual(at);
      expect(period.endsAt).toBeGreaterThan(at);
      expect(periodAt(per, period.startsAt)).toEqual(period);
      expect(periodAt(per, period.endsAt - 1)).toEqual(period);
      expect(periodAt(per, period.endsAt).startsAt).toBe(period.endsAt);
    }),
  );
});

test('a day begins at midnight, a week on a Monday and a month on its first day, whatever the year', () => {
  fc.assert(
    fc.property(MOMENT, (at) => {
      expect(iso(periodAt('day', at).startsAt)).toMatch(/T00:00:00\.000Z$/);
      expect(new Date(periodAt('week', at).startsAt).getUTCDay()).toBe(1);
      expect(iso(periodAt('month', at).startsAt)).toMatch(/-01T00:00:00\.000Z$/);
    }),
  );
});
