import { expect, test } from 'vitest';
import { formatsIn } from './formats.ts';

test('durations are written in the units of the language, and without what is nothing', () => {
  const given = [400, 2400, 9960, 12_000, 180_000, 200_000, 3_600_000, 3_900_000];
  expect(given.map(formatsIn('en').duration)).toEqual([
    '400 ms',
    '2.4 s',
    '10 s',
    '12 s',
    '3 min',
    '3 min 20 s',
    '1 h',
    '1 h 5 min',
  ]);
  expect(given.map(formatsIn('zh').duration)).toEqual([
    '400 毫秒',
    '2.4 秒',
    '10 秒',
    '12 秒',
    '3 分钟',
    '3 分钟 20 秒',
    '1 小时',
    '1 小时 5 分钟',
  ]);
  expect([1000, 2400, 61_000].map(formatsIn('en').wholeSeconds)).toEqual(['1 s', '2 s', '1 min 1 s']);
});

test('how long ago is written with a space between number and unit in both languages', () => {
  const now = Date.UTC(2026, 0, 20);
  const given = [1000, 120_000, 7_200_000, 86_400_000, 3 * 86_400_000];
  const ago = (language: 'en' | 'zh') => given.map((ms) => formatsIn(language).ago(now - ms, now));
  expect(ago('zh')).toEqual(['刚刚', '2 分钟前', '2 小时前', '昨天', '3 天前']);
  expect(ago('en')).toEqual(['just now', '2 min ago', '2 hr ago', 'yesterday', '3 days ago']);
});
