import { join } from 'node:path';
import { tempFolder } from '@dragoman/testkit';
import { expect, test } from 'vitest';
import { CodeVectors } from '../../../packages/context/src/index/vectors/code-vectors.ts';
import { wordVectors } from '../../../packages/context/src/index/vectors/word-vectors.fixture.ts';
import type { Pair } from '../extract/pair.ts';
import { writePairs } from '../pairs-file.ts';
import { bm25 } from './bm25.ts';
import { evaluateRepository } from './evaluate-repository.ts';

const WORDS = 'cache token order parse delete retry user login 登 录 登录'.split(' ');

function doc(query: string, code: string): Pair {
  return { kind: 'doc', path: 'src/a.ts', query: query.split(' '), code: code.split(' ') };
}

function fileOf(...pairs: Pair[]): string {
  const file = join(tempFolder(), 'pairs.tsv');
  writePairs(file, pairs);
  return file;
}

test('comments that share their words with their own definitions are found at once, by words and by vectors', async () => {
  const file = fileOf(
    doc('delete cache', 'delete cache delete cache'),
    doc('parse token', 'parse token parse token'),
    doc('retry order', 'retry order retry order'),
    { ...doc('user login', 'user login user login'), kind: 'name' },
  );

  expect(await evaluateRepository(file, new CodeVectors(wordVectors(...WORDS)))).toEqual({
    candidates: 3,
    english: { questions: 3, byWords: 1, byVectors: 1 },
    chinese: { questions: 0, byWords: Number.NaN, byVectors: Number.NaN },
  });
});

test('a Chinese comment has no word in common with English code: words are lost among all, and it counts apart', async () => {
  const file = fileOf(
    doc('登 录 登录', 'user login user login'),
    doc('delete cache', 'delete cache delete cache'),
    doc('parse token', 'parse token parse token'),
  );
  const { english, chinese } = await evaluateRepository(file, new CodeVectors(wordVectors(...WORDS)));

  expect(english.questions).toBe(2);
  // Each of three fits as little as the others: the second place.
  expect(chinese).toMatchObject({ questions: 1, byWords: 0.5 });
});

test('vectors are the ones of the engine: words of one meaning are found as if they were one word', async () => {
  const vectors = wordVectors(...WORDS);
  const row = (word: string) => {
    const at = WORDS.indexOf(word) * vectors.dimensions;
    return vectors.table.subarray(at, at + vectors.dimensions);
  };
  row('login').set(row('登录'));
  const file = fileOf(
    doc('登 录 登录', 'login login login login'),
    doc('delete cache', 'delete cache delete cache'),
    doc('parse token', 'parse token parse token'),
  );
  const { chinese } = await evaluateRepository(file, new CodeVectors(vectors));

  expect(chinese).toEqual({ questions: 1, byWords: 0.5, byVectors: 1 });
});

test('BM25 prefers rare words, and short texts that say them', () => {
  const scores = bm25([
    ['delete', 'cache'],
    ['delete', 'user', 'order', 'token'],
    ['cache', 'cache', 'parse'],
    ['retry'],
  ]);
  const order = (question: string) => {
    const found = scores(question.split(' '));
    return [...found.keys()].filter((at) => found[at]! > 0).toSorted((one, other) => found[other]! - found[one]!);
  };

  expect(order('delete')).toEqual([0, 1]);
  expect(order('cache')).toEqual([2, 0]);
  expect(order('delete retry')).toEqual([3, 0, 1]);
  expect(order('login')).toEqual([]);
});
