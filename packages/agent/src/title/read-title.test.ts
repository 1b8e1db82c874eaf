import { OFFLINE_HINT } from '@dragoman/protocol';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readTitle } from './read-title.ts';

test.each([
  ['Fix the login redirect', 'Fix the login redirect'],
  ['"Fix the login redirect."', 'Fix the login redirect'],
  ['Title: **Fix `parse()` in config.ts**\n\nIt is about…', 'Fix `parse()` in config.ts'],
  ['\n\n# A heading\n', 'A heading'],
  ['“修复登录跳转”。', '修复登录跳转'],
  ['标题：修复登录跳转', '修复登录跳转'],
  ['<think>The user wants\nmany things</think>\nRetry of the mail queue', 'Retry of the mail queue'],
  ['a\u{202e}b\u{200b}c\u{7}d', 'a b c d'],
  [
    'Why does the index take so long to be built when there are many files',
    'Why does the index take so long to be built when there are…',
  ],
  ['请'.repeat(80), `${'请'.repeat(59)}…`],
])('%j is the title %j', (answer, title) => {
  expect(readTitle(answer)).toBe(title);
});

test.each(['', '  \n"…"\n', '<think>and no end', `Places\n\n${OFFLINE_HINT}`])('%j has no title in it', (answer) => {
  expect(readTitle(answer)).toBeUndefined();
});

test('whatever a model says, a title is one plain line of at most 60 characters', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 300 }), (answer) => {
      const title = readTitle(answer) ?? 'none';
      expect(title.length).toBeLessThanOrEqual(60);
      expect(title).not.toMatch(/[\p{Cc}\p{Bidi_Control}\p{Zl}\p{Zp}]/u);
      expect(title.isWellFormed()).toBe(true);
      expect(title.trim()).toBe(title);
    }),
  );
});
