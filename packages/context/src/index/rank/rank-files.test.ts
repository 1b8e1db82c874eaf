import { expect, test } from 'vitest';
import { liveFiles } from './live.fixture.ts';
import { rankFiles } from './rank-files.ts';
import { readRanker } from './ranker.ts';

const FILES = {
  'src/cache.ts':
    'const kept = 8;\n\n/** Drops what was not used for longest. */\nexport function evictOldest() {\n  return kept;\n}\n',
  'src/server.ts': "import { evictOldest } from './cache.ts';\n\nexport function serve() {\n  evictOldest();\n}\n",
  'test/cache.test.ts':
    "import { evictOldest } from '../src/cache.ts';\n\ntest('evicts from the cache', evictOldest);\n",
};

test('a question in plain words finds the file that answers it, with the shipped weights', () => {
  const [first] = rankFiles(liveFiles([FILES]), 'how the cache evicts old entries', 3, readRanker());

  expect(first).toMatchObject({ path: 'src/cache.ts', start: 1, end: 6 });
});

test('a name finds the lines of its definition', () => {
  const [first] = rankFiles(liveFiles([FILES]), 'evictOldest', 3, readRanker());

  expect(first).toMatchObject({ path: 'src/cache.ts', start: 4, end: 6, symbol: 'evictOldest' });
});

test('no more files are given than wanted', () => {
  expect(rankFiles(liveFiles([FILES]), 'cache', 2, readRanker())).toHaveLength(2);
});
