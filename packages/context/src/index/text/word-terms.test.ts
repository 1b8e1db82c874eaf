import { expect, test } from 'vitest';
import { wordTerms } from './word-terms.ts';

test.each([
  ['parseHeader', ['pars', 'head', '=parseheader']],
  ['parse_header', ['pars', 'head', '=parseheader']],
  ['header', ['head']],
  ['7', []],
  ['a', ['a']],
  ['变量', ['变', '变量', '量']],
  ['token刷新', ['token', '刷', '刷新', '新']],
  ['x'.repeat(65), []],
])('%s is found by %j', (word, terms) => {
  expect(wordTerms(word)).toEqual(terms);
});
