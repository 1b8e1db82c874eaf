import { expect, test } from 'vitest';
import { showPlace } from './show-place.ts';

const place = { path: 'src/retry.ts', start: 9, end: 11, score: 1, text: 'one\n\nthree\n' };

test('a place is shown with its path, its lines and their numbers', () => {
  expect(showPlace({ ...place, symbol: 'retry' }, { query: 'x', isSymbol: false }, false)).toBe(
    'src/retry.ts:9-11  retry\n   9  one\n  10\n  11  three\n',
  );
  expect(showPlace(place, { query: 'x', isSymbol: false }, true)).toBe(
    '\u001B[1msrc/retry.ts:9-11\u001B[0m\n   9  one\n  10\n  11  three\n',
  );
});

test('of a long place the lines are shown that have most of the question in them', () => {
  const lines = Array.from({ length: 40 }, (_, index) => `line ${index + 1}`);
  lines[20] = 'function mayRetry(attempt) {';
  lines[21] = '  return attempt < limitOfRetries;';
  const long = { path: 'a.ts', start: 1, end: 40, score: 1, text: lines.join('\n') };

  const shown = showPlace(long, { query: 'how are retries limited?', isSymbol: false }, false).trimEnd().split('\n');

  expect(shown.slice(0, 5)).toEqual([
    'a.ts:1-40',
    '  20  line 20',
    '  21  function mayRetry(attempt) {',
    '  22    return attempt < limitOfRetries;',
    '  23  line 23',
  ]);
  expect(shown).toHaveLength(14);
  expect(shown.at(-1)).toBe('      … 28 more lines');
  expect(showPlace(long, { query: 'nothing of that', isSymbol: false }, false)).toContain('\n   1  line 1\n');
});

test('of a name that was asked for, the head of the definition is shown, and how much more there is', () => {
  const long = {
    path: 'src/router.ts',
    start: 38,
    end: 1529,
    symbol: 'Router',
    score: 1,
    text: Array.from({ length: 400 }, (_, index) => (index === 300 ? 'router router' : `line ${index}`)).join('\n'),
  };
  const shown = showPlace(long, { query: 'Router', isSymbol: true }, false).trimEnd().split('\n');
  expect(shown[1]).toBe('    38  line 0');
  expect(shown.at(-1)).toBe('        … 1480 more lines');
});

test('control characters of a file and of its name do nothing to a terminal; tabs and line breaks of the file stay', () => {
  const hostile = {
    path: 'src/\u001B[2Ja\nb.ts',
    start: 1,
    end: 2,
    symbol: 'x\u001B[31m',
    score: 1,
    text: '\tone\u001B]0;owned\u0007\r\n\u009B2Jtwo\u007F\n',
  };
  expect(showPlace(hostile, { query: 'x', isSymbol: false }, false)).toBe(
    'src/␛[2Ja␊b.ts:1-2  x␛[31m\n  1  \tone␛]0;owned␇\n  2  \uFFFD2Jtwo␡\n',
  );
});

test('one line that is not shown is one line', () => {
  const long = {
    path: 'a.ts',
    start: 1,
    end: 13,
    score: 1,
    text: Array.from({ length: 13 }, (_, index) => `line ${index}`).join('\n'),
  };
  const shown = showPlace(long, { query: 'x', isSymbol: false }, false).trimEnd().split('\n');
  expect(shown.at(-1)).toBe('      … 1 more line');
});
