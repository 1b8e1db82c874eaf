import { expect, test } from 'vitest';
import { docPairs } from './doc-pairs.ts';

const defined = new Map([
  ['evictOldest', { path: 'src/cache.ts', code: ['cache', 'evict'] }],
  ['defined', undefined], // In two places.
]);

test('a sentence of documentation that names a function leads to it, the first time without the name', () => {
  const text = [
    '# Caches',
    '',
    'When a cache is full, `evictOldest()` makes room. Nothing else does.',
    '',
    'Call [`cache.evictOldest`](https://example.org) to make room before a large value.',
  ].join('\n');

  expect(docPairs([text], defined, 10)).toEqual([
    {
      kind: 'md',
      path: 'src/cache.ts',
      query: ['caches', 'when', 'cache', 'is', 'full', 'makes', 'room'],
      code: ['cache', 'evict'],
    },
    {
      kind: 'md',
      path: 'src/cache.ts',
      query: 'caches call cache evict oldest to make room before large value'.split(' '),
      code: ['cache', 'evict'],
    },
  ]);
});

test('names that lead to several places, blocks of code and tables are left out, and so are more pairs than wanted', () => {
  expect(docPairs(['What is `defined` twice leads nowhere at all.'], defined, 10)).toEqual([]);
  expect(docPairs(['```\nWhen a cache is full, `evictOldest` makes room.\n```'], defined, 10)).toEqual([]);
  expect(docPairs(['| When a cache is full | `evictOldest` makes room |'], defined, 10)).toEqual([]);
  const often = Array.from({ length: 9 }, () => 'When a cache is full, `evictOldest` makes room.');
  expect(docPairs(often, defined, 10)).toHaveLength(3);
  expect(docPairs(often, defined, 1)).toHaveLength(1);
});
