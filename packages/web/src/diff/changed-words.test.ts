import fc from 'fast-check';
import { expect, test } from 'vitest';
import { changedWords, type Span } from './changed-words.ts';

function cut(text: string, spans: readonly Span[]): string[] {
  return spans.map(([from, to]) => text.slice(from, to));
}

/** The words that are said to have changed. */
function told(before: string, after: string): [string[], string[]] | undefined {
  const changed = changedWords(before, after);
  return changed && [cut(before, changed.before), cut(after, changed.after)];
}

test('of two forms of a line the words that differ are named', () => {
  expect(told('if (attempt >= MAX) throw error;', 'if (attempt >= max()) throw error;')).toEqual([['MAX'], ['max()']]);
  expect(told('a = one(two, three);', 'a = one(2, three, four);')).toEqual([['two'], ['2', ', four']]);
  expect(told('const x = 1;', 'const x = 1; // why')).toEqual([[], [' // why']]);
});

test('two lines that have little in common are two lines', () => {
  expect(told('return cache.get(key);', 'throw new Error("gone");')).toBeUndefined();
  expect(told('same', 'same')).toBeUndefined();
});

test('what is left when the changed words are taken out is the same on both sides', () => {
  const line = fc.array(fc.constantFrom('a', 'b', 'foo', ' ', '(', ')', ',', '文', '=')).map((words) => words.join(''));
  const without = (text: string, spans: readonly Span[]) =>
    spans.toReversed().reduce((rest, [from, to]) => rest.slice(0, from) + rest.slice(to), text);
  fc.assert(
    fc.property(line, line, (before, after) => {
      const changed = changedWords(before, after) ?? { before: [[0, before.length]], after: [[0, after.length]] };
      expect(without(before, changed.before)).toBe(without(after, changed.after));
    }),
    { seed: 20_260_705, numRuns: 500 },
  );
});
