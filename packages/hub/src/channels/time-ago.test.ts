import { expect, test } from 'vitest';
import { timeAgo } from './time-ago.ts';

const MINUTE = 60_000;

test.each([
  [59_999, undefined, undefined],
  [MINUTE, '1 minute ago', '1分钟前'],
  [59 * MINUTE, '59 minutes ago', '59分钟前'],
  [60 * MINUTE, '1 hour ago', '1小时前'],
  [47 * 60 * MINUTE, '1 day ago', '1天前'],
  [10 * 24 * 60 * MINUTE, '10 days ago', '10天前'],
])('%d milliseconds are %s', (ms, english, chinese) => {
  expect([timeAgo(ms, 'en'), timeAgo(ms, 'zh')]).toEqual([english, chinese]);
});
