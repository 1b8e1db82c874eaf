import { expect, test } from 'vitest';
import { cutToWidth, graphemes, textWidth } from './text-width.ts';

test.each([
  ['plain', 5],
  ['', 0],
  ['Größe', 5],
  ['✓ ◌ │ …', 7],
  ['中文', 4],
  ['ｆｕｌｌ', 8],
  ['한국어', 6],
  ['e\u0301', 1],
  ['👩‍💻', 2],
  ['👨‍👩‍👧‍👦', 2],
  ['👍🏽', 2],
  ['🇩🇪', 2],
  ['❤', 1],
  ['❤️', 2],
  ['1️⃣', 2],
  ['ไทย', 3],
  ['a\u200Bb', 2],
])('"%s" takes %i columns', (text, width) => {
  expect(textWidth(text)).toBe(width);
});

test('what a reader takes for one character is one', () => {
  expect(graphemes('a👩‍💻e\u0301中')).toEqual(['a', '👩‍💻', 'e\u0301', '中']);
});

test('a text is cut between characters, with a sign that it was', () => {
  expect(cutToWidth('plain', 5)).toBe('plain');
  expect(cutToWidth('plainer', 5)).toBe('plai…');
  expect(cutToWidth('two words', 5)).toBe('two…');
  expect(cutToWidth('中文字符', 8)).toBe('中文字符');
  expect(cutToWidth('中文字符', 7)).toBe('中文字…');
  expect(cutToWidth('中文字符', 6)).toBe('中文…');
  expect(cutToWidth('👩‍💻👩‍💻👩‍💻', 5)).toBe('👩‍💻👩‍💻…');
  expect(cutToWidth('x'.repeat(1_000_000), 4)).toBe('xxx…');
});
