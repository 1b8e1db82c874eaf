import { expect, test } from 'vitest';
import { type DiffRow, inlineRows, splitRows } from './diff-rows.ts';
import { parseUnified } from './parse-unified.ts';

function told(rows: readonly DiffRow[]): string[] {
  return rows.map((row) =>
    row.type === 'folded' ? `(${row.lines.length} lines)` : `${row.old?.text ?? ''} | ${row.new?.text ?? ''}`,
  );
}

function hunkOf(...lines: string[]) {
  return parseUnified(['@@ -1,99 +1,99 @@', ...lines].join('\n')).hunks[0]!;
}

test('side by side, what was and what is stand in one row', () => {
  const rows = splitRows(hunkOf(' a', '-b', '-c', '+B', ' d', '+e'), () => false);

  expect(told(rows)).toEqual(['a | a', 'b | B', 'c | ', 'd | d', ' | e']);
});

test('under one another, of a change first what was, then what is', () => {
  const rows = inlineRows(splitRows(hunkOf(' a', '-b', '-c', '+B', '+C', '+D', ' d'), () => false));

  expect(told(rows)).toEqual(['a | a', 'b | ', 'c | ', ' | B', ' | C', ' | D', 'd | d']);
});

test('many lines that did not change are folded, and come out when they are asked for', () => {
  const same = Array.from({ length: 30 }, (_, index) => ` ${index}`);
  const hunk = hunkOf('-a', ...same, '+b');

  expect(told(splitRows(hunk, () => false))).toEqual([
    'a | ',
    '0 | 0',
    '1 | 1',
    '2 | 2',
    '3 | 3',
    '(22 lines)',
    '26 | 26',
    '27 | 27',
    '28 | 28',
    '29 | 29',
    ' | b',
  ]);
  expect(splitRows(hunk, (from) => from === 1)).toHaveLength(32);
});
