import { expect, test } from 'vitest';
import { parseExpiry } from './parse-expiry.ts';

const NOW = Date.parse('2026-01-01T00:00:00Z');

test('a span counts from now, a date is its beginning in UTC', () => {
  expect(new Date(parseExpiry('90m', NOW)).toISOString()).toBe('2026-01-01T01:30:00.000Z');
  expect(new Date(parseExpiry('12h', NOW)).toISOString()).toBe('2026-01-01T12:00:00.000Z');
  expect(new Date(parseExpiry('2w', NOW)).toISOString()).toBe('2026-01-15T00:00:00.000Z');
  expect(new Date(parseExpiry('2027-01-31', NOW)).toISOString()).toBe('2027-01-31T00:00:00.000Z');
  expect(new Date(parseExpiry('2027-01-31T10:00:00+02:00', NOW)).toISOString()).toBe('2027-01-31T08:00:00.000Z');
});

test.each(['0d', '', 'tomorrow', '1y', '31.1.2027', '-3d', '2027-13-01', '2027-02-31', '99999w'])(
  '%j is refused',
  (text) => {
    expect(() => parseExpiry(text, NOW)).toThrow('--expires: ');
  },
);
