import fc from 'fast-check';
import { expect, test } from 'vitest';
import { linesAround } from './lines-around.ts';
import { sourceLines } from './source-lines.ts';

test('whatever the text, the lines are those that it has when it is cut as a whole', () => {
  const texts = fc
    .array(fc.constantFrom('a', 'ä', '😀', '\uFEFF', '\r', '\n', '\r\n', '\n\n'))
    .map((all) => all.join(''));
  fc.assert(
    fc.property(texts, fc.integer({ min: -3, max: 30 }), fc.integer({ min: 1, max: 30 }), (text, from, to) => {
      const all = sourceLines(text);
      expect(linesAround(Buffer.from(text), from, to)).toEqual({
        first: Math.max(1, from),
        lines: all.slice(Math.max(1, from) - 1, Math.max(to, 0)),
        count: Math.min(all.length, to),
      });
    }),
    { numRuns: 2_000 },
  );
});
