import { describe, expect, test } from 'vitest';
import { builtInVectors } from '../vectors/built-in-vectors.ts';
import { liveFiles } from './live.fixture.ts';
import { rankFiles } from './rank-files.ts';
import { readRanker, readTrees } from './ranker.ts';

const FILES = {
  'src/cache.ts':
    'const kept = 8;\n\n/** Drops what was not used for longest. */\nexport function evictOldest() {\n  return kept;\n}\n',
  'src/server.ts': "import { evictOldest } from './cache.ts';\n\nexport function serve() {\n  evictOldest();\n}\n",
  'test/cache.test.ts':
    "import { evictOldest } from '../src/cache.ts';\n\ntest('evicts from the cache', evictOldest);\n",
};

test('a question in plain words finds the file that answers it, with the shipped weights', () => {
  const [first] = rankFiles(liveFiles([FILES]), 'how the cache evicts old entries', 3, { ranker: readRanker() });

  expect(first).toMatchObject({ path: 'src/cache.ts', start: 1, end: 6 });
});

test('a name finds the lines of its definition', () => {
  const [first] = rankFiles(liveFiles([FILES]), 'evictOldest', 3, { ranker: readRanker() });

  expect(first).toMatchObject({ path: 'src/cache.ts', start: 4, end: 6, symbol: 'evictOldest' });
});

test('no more files are given than wanted', () => {
  expect(rankFiles(liveFiles([FILES]), 'cache', 2, { ranker: readRanker() })).toHaveLength(2);
});

describe('by meaning', () => {
  const vectors = builtInVectors();
  const LOGIN = {
    'src/session.ts': 'export async function refreshToken(user: User) {\n  return signIn(user);\n}\n',
    'src/parse.ts': 'export function parse(text: string) {\n  return JSON.parse(text);\n}\n',
    'src/color.ts': 'export const colors = { red: 1, green: 2 };\n',
  };
  const rank = (query: string, hidden: string[] = []) =>
    rankFiles(liveFiles([LOGIN], hidden, vectors), query, 3, { ranker: readRanker(), vectors });

  test.each(['登录凭证在哪里刷新', '登录 token 在哪里刷新', 'where are credentials renewed'])(
    '"%s" finds a file that has none of its words',
    (query) => {
      expect(rank(query)[0]).toMatchObject({ path: 'src/session.ts', start: 1, end: 3 });
    },
  );

  test('files that the view does not see are not found by meaning either', () => {
    expect(rank('登录凭证在哪里刷新', ['src/session.ts']).map(({ path }) => path)).not.toContain('src/session.ts');
  });

  test('a name or a single word stays with the files that have it', () => {
    expect(rank('parse').map(({ path }) => path)).toEqual(['src/parse.ts']);
    expect(rank('Token').map(({ path }) => path)).toEqual(['src/session.ts']);
  });

  test('a question of unknown words finds nothing rather than anything', () => {
    expect(rank('qzxv wkpqj')).toEqual([]);
  });

  test('a reason says how near the nearest lines are', () => {
    const [first] = rankFiles(liveFiles([LOGIN], [], vectors), '登录凭证在哪里刷新', 1, {
      ranker: readRanker(),
      vectors,
      explainedBy: readTrees(),
    });
    const meaning = first!.why!.find(({ reason }) => reason === 'meaning');

    expect(meaning).toMatchObject({
      title: 'Meaning',
      detail: expect.stringMatching(/^nearest at line 1, \d+ of 100$/),
    });
    expect(meaning!.weight).toBeGreaterThan(0);
  });

  test('the words of a Chinese question are told as words, not as characters', () => {
    const files = { 'src/words.ts': "export const zh = { login: '登录凭证' };\n", ...LOGIN };
    const [first] = rankFiles(liveFiles([files], [], vectors), '登录凭证', 1, {
      ranker: readRanker(),
      vectors,
      explainedBy: readTrees(),
    });

    expect(first).toMatchObject({ path: 'src/words.ts' });
    expect(first!.why!.find(({ reason }) => reason === 'words-in-text')?.detail).toMatch(/登录, 录凭, 凭证$/);
  });
});
