import fc from 'fast-check';
import { expect, test } from 'vitest';
import { LineWindow, type LineWindowOptions } from './line-window.ts';

function windowOf(pieces: string[], options: Partial<LineWindowOptions> = {}): LineWindow {
  const window = new LineWindow({ offset: 1, limit: 100, maxLineLength: 100, maxBytes: 10_000, ...options });
  for (const piece of pieces) window.push(piece);
  window.finish();
  return window;
}

test('lines are numbered, with or without a line feed at the end', () => {
  expect(windowOf(['a\nb\n']).lines).toEqual(['1\ta', '2\tb']);
  expect(windowOf(['a\r\nb']).lines).toEqual(['1\ta', '2\tb']);
  expect(windowOf(['\n\n']).lines).toEqual(['1\t', '2\t']);
  expect(windowOf(['']).lines).toEqual([]);
});

test('a window in the middle tells that there is more, and counts on', () => {
  const window = windowOf(['a\nb\nc\nd\ne\n'], { offset: 2, limit: 2 });

  expect(window.lines).toEqual(['2\tb', '3\tc']);
  expect({ cutBy: window.cutBy, last: window.last, count: window.count }).toEqual({
    cutBy: 'limit',
    last: 3,
    count: 5,
  });
  expect(windowOf(['a\nb'], { limit: 2 }).cutBy).toBeUndefined();
  expect(windowOf(['a\nb\nc'], { limit: 2 }).cutBy).toBe('limit');
});

test('a long line is cut, and one line at least is shown whatever the bytes', () => {
  expect(windowOf(['abcdef\n', 'ab\r\n'], { maxLineLength: 4 }).lines).toEqual([
    '1\tabcd [cut: the line has 6 characters]',
    '2\tab',
  ]);
  expect(windowOf(['abcd\r\nx'], { maxLineLength: 4 }).lines).toEqual(['1\tabcd', '2\tx']);
  const window = windowOf(['aaaa\nbbbb\n'], { maxBytes: 5 });
  expect([window.lines, window.cutBy]).toEqual([['1\taaaa'], 'bytes']);
});

test('how the text was cut into pieces makes no difference', () => {
  const text = fc.string({ unit: fc.constantFrom('a', 'ü', '\r', '\n', '😀'), maxLength: 60 });
  fc.assert(
    fc.property(text, fc.array(fc.nat(60), { maxLength: 5 }), fc.integer({ min: 1, max: 5 }), (whole, cuts, limit) => {
      const edges = [0, ...cuts.map((cut) => Math.min(cut, whole.length)).toSorted((a, b) => a - b), whole.length];
      const pieces = edges.slice(1).map((edge, index) => whole.slice(edges[index], edge));
      const options = { offset: 2, limit, maxLineLength: 7 };
      const { lines, count, cutBy } = windowOf(pieces, options);
      const expected = windowOf([whole], options);
      expect({ lines, count, cutBy }).toEqual({ lines: expected.lines, count: expected.count, cutBy: expected.cutBy });
      expect(count).toBe(whole === '' ? 0 : whole.replace(/\n$/, '').split('\n').length);
    }),
    { seed: 7, numRuns: 500 },
  );
});
