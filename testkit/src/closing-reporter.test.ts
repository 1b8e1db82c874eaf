import { expect, test } from 'vitest';
import { closingText } from './closing-reporter.ts';

test('the ten slowest files are told, the slowest first', () => {
  const files = Array.from({ length: 12 }, (_, n) => ({ file: `f${n}.test.ts`, seconds: n + 0.25, skipped: [] }));

  expect(closingText(files)).toBe(
    [
      'Slowest files:',
      '    11.3 s  f11.test.ts',
      '    10.3 s  f10.test.ts',
      '     9.3 s  f9.test.ts',
      '     8.3 s  f8.test.ts',
      '     7.3 s  f7.test.ts',
      '     6.3 s  f6.test.ts',
      '     5.3 s  f5.test.ts',
      '     4.3 s  f4.test.ts',
      '     3.3 s  f3.test.ts',
      '     2.3 s  f2.test.ts',
    ].join('\n'),
  );
});

test('every skipped test is told by its name', () => {
  const files = [{ file: 'a.test.ts', seconds: 1, skipped: ['in the sandbox > it holds', 'another'] }];

  expect(closingText(files)).toBe(
    [
      'Skipped, because something they need is not on this machine:',
      '  a.test.ts',
      '    in the sandbox > it holds',
      '    another',
    ].join('\n'),
  );
});

test('a single file that ran whole needs no closing words', () => {
  expect(closingText([{ file: 'a.test.ts', seconds: 1, skipped: [] }])).toBe('');
});
