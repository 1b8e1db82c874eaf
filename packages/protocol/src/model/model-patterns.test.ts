import fc from 'fast-check';
import { expect, test } from 'vitest';
import { findWiderPattern, matchesModel, modelPatternsSchema } from './model-patterns.ts';

test('a star at the end stands for any rest, and nothing else has a meaning', () => {
  expect(matchesModel(['fast', 'openai/*'], 'fast')).toBe(true);
  expect(matchesModel(['fast', 'openai/*'], 'faster')).toBe(false);
  expect(matchesModel(['fast', 'openai/*'], 'openai/gpt-5')).toBe(true);
  expect(matchesModel(['fast', 'openai/*'], 'openai')).toBe(false);
  expect(matchesModel(['gpt-5.1'], 'gpt-5x1')).toBe(false);
  expect(matchesModel(['*'], 'anything/at-all')).toBe(true);
});

test('what is no name, or too many of them, is refused with its place', () => {
  const problemOf = (value: unknown) => modelPatternsSchema.safeParse(value).error?.issues[0]?.path;

  expect(modelPatternsSchema.parse([' fast ', 'fast', 'openai/*'])).toEqual(['fast', 'openai/*']);
  expect(problemOf([])).toEqual([]);
  expect(problemOf(['fast', 'a*b'])).toEqual([1]);
  expect(problemOf(['**'])).toEqual([0]);
  expect(problemOf(['a,b'])).toEqual([0]);
  expect(problemOf(['a b'])).toEqual([0]);
  expect(problemOf([''])).toEqual([0]);
  expect(problemOf(['x'.repeat(201)])).toEqual([0]);
  expect(problemOf(Array.from({ length: 101 }, (_, index) => `m${index}`))).toEqual([]);
});

test('a pattern is wider where it stands for a name that the others do not stand for', () => {
  expect(findWiderPattern(['fast', 'openai/gpt-*'], ['openai/*', 'fast'])).toBeUndefined();
  expect(findWiderPattern(['fast', 'slow'], ['fast'])).toBe('slow');
  expect(findWiderPattern(['openai/*'], ['openai/gpt-*'])).toBe('openai/*');
  expect(findWiderPattern(['fast*'], ['fast'])).toBe('fast*');
  expect(findWiderPattern(['*'], ['a*', 'b*'])).toBe('*');
});

test('whatever patterns that are not wider stand for, the wide ones stand for too', () => {
  const name = fc.string({ unit: fc.constantFrom('a', 'b', '/'), minLength: 1, maxLength: 5 });
  const pattern = fc.oneof(
    name,
    name.map((text) => `${text}*`),
    fc.constant('*'),
  );
  const patterns = fc.array(pattern, { minLength: 1, maxLength: 4 });
  fc.assert(
    fc.property(patterns, patterns, name, (some, wide, asked) => {
      fc.pre(findWiderPattern(some, wide) === undefined && matchesModel(some, asked));
      expect(matchesModel(wide, asked)).toBe(true);
    }),
  );
});
