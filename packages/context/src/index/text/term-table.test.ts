import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isWordChar, TermTable } from './term-table.ts';
import { termHash } from './term-hash.ts';
import { wordTerms } from './word-terms.ts';

const source = fc
  .array(
    fc.oneof(fc.constantFrom('parseHeader', 'HTTP', 'ids', '的', '变量名', ' ', '\n', '(', '::', '—'), fc.string()),
  )
  .map((parts) => parts.join(''));

test('a text has the terms of its words, in order, however often the table saw them before', () => {
  const table = new TermTable();
  fc.assert(
    fc.property(source, (text) => {
      const read: number[] = [];
      table.read(text, 0, text.length, (term) => read.push(table.numbers.hash(term)));
      expect(read).toEqual(wordsOf(text).flatMap(wordTerms).map(termHash));
    }),
  );
});

test('only what lies between the two positions is read', () => {
  const table = new TermTable();
  const read: number[] = [];
  const text = 'before inside after';
  table.read(text, 7, 13, (term) => read.push(table.numbers.hash(term)));
  expect(read).toEqual(wordTerms('inside').map(termHash));
});

test('many different words are all found again', () => {
  const table = new TermTable();
  const words = Array.from({ length: 200_000 }, (_, index) => `word${index.toString(36)}x`);
  const text = words.join(' ');
  const first: number[] = [];
  table.read(text, 0, text.length, (term) => first.push(term));
  const second: number[] = [];
  table.read(text, 0, text.length, (term) => second.push(term));
  expect(second).toEqual(first);
});

function wordsOf(text: string): string[] {
  const words: string[] = [];
  let word = '';
  for (let at = 0; at <= text.length; at++) {
    if (at < text.length && isWordChar(text.charCodeAt(at))) word += text[at];
    else if (word !== '') {
      words.push(word);
      word = '';
    }
  }
  return words;
}
