import { expect, test } from 'vitest';
import { type CompactionSettings, SessionCompaction } from './session-compaction.ts';

const limits = { contextTokens: 100_000, maxOutputTokens: 8_000 };
const settings: CompactionSettings = { auto: true, threshold: 1 };

test('a prompt overflows when it reaches the threshold, and not just below it [FR-50]', () => {
  expect(SessionCompaction.usableTokens(limits, settings)).toBe(92_000);
  expect(SessionCompaction.isOverflow(91_999, limits, settings)).toBe(false);
  expect(SessionCompaction.isOverflow(92_000, limits, settings)).toBe(true);
});

test('the threshold follows the reserve and the share that are set [FR-51]', () => {
  expect(SessionCompaction.usableTokens(limits, { ...settings, reserved: 50_000 })).toBe(50_000);
  expect(SessionCompaction.usableTokens(limits, { ...settings, threshold: 0.5 })).toBe(46_000);
});

test('an output limit near the whole context leaves three quarters of it to the prompt', () => {
  expect(SessionCompaction.usableTokens({ contextTokens: 40_000, maxOutputTokens: 32_000 }, settings)).toBe(30_000);
});

test('nothing overflows where it is turned off, or where the limit is not known', () => {
  expect(SessionCompaction.isOverflow(1e9, limits, { ...settings, auto: false })).toBe(false);
  expect(SessionCompaction.isOverflow(1e9, { contextTokens: 0, maxOutputTokens: 0 }, settings)).toBe(false);
});
