import fc from 'fast-check';
import { expect, test } from 'vitest';
import { searchTokens } from './search-tokens.ts';

test('BYOK-80 tokens are words of at least three letters, digits and underscores that do not begin with a digit', () => {
  expect(searchTokens('where is parse_v2 (in a.b.JsonReader) of 3rd_party, __x or 2fa?')).toEqual([
    'where',
    'parse_v2',
    'JsonReader',
    'rd_party',
    '__x',
  ]);
});

test('BYOK-81 tokens are made unique in order of appearance before the first eight are kept', () => {
  expect(searchTokens('foo bar foo Foo bar one two three four five six')).toEqual([
    'foo',
    'bar',
    'Foo',
    'one',
    'two',
    'three',
    'four',
    'five',
  ]);
});

test('BYOK-83 a query without any token is one token: its first 64 characters', () => {
  expect(searchTokens('解析配置在哪里？')).toEqual(['解析配置在哪里？']);
  expect(searchTokens('=> '.repeat(40))).toEqual(['=> '.repeat(40).slice(0, 64)]);
  expect(searchTokens('a'.repeat(2))).toEqual(['aa']);
});

test('BYOK-83 the cut at 64 characters leaves no half of a character behind', () => {
  expect(searchTokens(`${'。'.repeat(63)}😀`)).toEqual(['。'.repeat(63)]);
});

test('any query has between one and eight tokens, and all of them stand in it', () => {
  fc.assert(
    fc.property(fc.string({ minLength: 1, unit: 'grapheme' }), (query) => {
      const tokens = searchTokens(query);

      expect(tokens.length).toBeGreaterThanOrEqual(1);
      expect(tokens.length).toBeLessThanOrEqual(8);
      for (const token of tokens) expect(query).toContain(token);
    }),
    { seed: 1, numRuns: 300 },
  );
});
