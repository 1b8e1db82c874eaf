import { expect, test } from 'vitest';
import { stemWord } from '../text/stem-word.ts';
import { synonymsOf } from './synonyms.ts';

test('a short form and the word it is short for find each other', () => {
  expect(synonymsOf(stemWord('database'))).toContain('db');
  expect(synonymsOf('db')).toContain(stemWord('database'));
});

test('a word without others has none, and none is its own', () => {
  expect(synonymsOf('zebra')).toEqual([]);
  expect(synonymsOf('db')).not.toContain('db');
});
