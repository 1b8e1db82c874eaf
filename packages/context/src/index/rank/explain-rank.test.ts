import { expect, test } from 'vitest';
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
const explained = (query: string) =>
  rankFiles(liveFiles([FILES]), query, 3, { ranker: readRanker(), explainedBy: readTrees() });
const details = (query: string, path: string) =>
  Object.fromEntries(
    explained(query)
      .find((hit) => hit.path === path)!
      .why!.map(({ reason, detail }) => [reason, detail]),
  );

test('every place says what spoke for it, the strongest first, in shares of one', () => {
  const hits = explained('how the cache evicts old entries');

  expect(hits).toHaveLength(3);
  for (const { why = [] } of hits) {
    const sizes = why.map(({ weight }) => Math.abs(weight));
    expect(why.length).toBeGreaterThan(0);
    expect(why.length).toBeLessThanOrEqual(6);
    expect(sizes).toEqual(sizes.toSorted((one, other) => other - one));
    expect(sizes.reduce((sum, size) => sum + size, 0)).toBeCloseTo(1, 9);
  }
});

test('the words are told as they were asked, where they were found', () => {
  expect(details('how the cache evicts old entries', 'src/cache.ts')).toMatchObject({
    'words-in-path': 'cache',
    'names-defined': 'evictOldest',
  });
  expect(details('how the cache evicts old entries', 'test/cache.test.ts')).toMatchObject({
    'words-in-text': 'cache, evicts',
    'kind-of-file': 'test, code',
  });
});

test('a name that was asked for is told where it is defined, and its words as it has them', () => {
  expect(details('evictOldest', 'src/cache.ts')).toMatchObject({
    'words-in-text': 'evict, oldest',
    'names-defined': 'evictOldest',
    'symbol-defined': 'evictOldest',
  });
});

test('a file that is the only one to be found says why, too', () => {
  const [only, ...others] = explained('longest');

  expect(others).toEqual([]);
  expect(only!.why![0]).toMatchObject({ reason: 'words-in-text', detail: 'longest' });
  expect(only!.why!.map(({ reason }) => reason)).not.toContain('kind-of-file');
});

test('without being asked, no place says why, and the order and scores are the same', () => {
  const query = 'how the cache evicts old entries';
  const plain = rankFiles(liveFiles([FILES]), query, 3, { ranker: readRanker() });

  expect(plain.map(({ path, score }) => [path, score])).toEqual(
    explained(query).map(({ path, score }) => [path, score]),
  );
  expect(plain.every((hit) => !('why' in hit))).toBe(true);
});
