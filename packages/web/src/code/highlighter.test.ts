import { expect, test } from 'vitest';
import { highlightLines } from './highlighter.ts';
import { isColourable } from './use-colours.ts';

test('code comes in pieces, line by line, each with what it is; what spans lines is cut at their ends', async () => {
  expect(await highlightLines('const a = "x"; /* one\ntwo */', 'typescript')).toEqual([
    [
      { text: 'const', kind: 'keyword' },
      { text: ' a = ', kind: undefined },
      { text: '"x"', kind: 'string' },
      { text: '; ', kind: undefined },
      { text: '/* one', kind: 'comment' },
    ],
    [{ text: 'two */', kind: 'comment' }],
  ]);
});

test('a language that nobody knows has no colours', async () => {
  expect(await highlightLines('x', 'klingon')).toBeUndefined();
});

test('what would take a grammar too long is not coloured at all', () => {
  expect(isColourable('const a = 1;\n'.repeat(1000))).toBe(true);
  expect(isColourable('a'.repeat(300))).toBe(false);
  expect(isColourable('"'.repeat(1001))).toBe(false);
  expect(isColourable('x\n'.repeat(40_000))).toBe(false);
});
