import { expect, test } from 'vitest';
import { collectCandidates } from './candidates.ts';
import { fileFeatures } from './file-features.ts';
import { liveFiles } from './live.fixture.ts';
import type { LiveSegment } from './live-segment.ts';
import { readQuestion } from './question.ts';

const FILES = {
  'a/cache.ts': 'export function evictOldest() {\n  return cache.evict(oldest);\n}\n',
  'a/mention.ts': '// The cache is elsewhere.\nexport const one = 1;\n',
  'a/long.ts': `// The cache.\n${'export const filler = otherThings();\n'.repeat(40)}`,
  'a/nothing.ts': 'export const two = 2;\n',
};

function scores(segments: readonly LiveSegment[], query: string): [string, number][] {
  return collectCandidates(segments, readQuestion(query), undefined)
    .candidates.map(({ segment, file, chunks }): [string, number] => [
      segment.reader.path(file),
      Number((chunks[0]?.score ?? 0).toFixed(4)),
    ])
    .sort(([, one], [, other]) => other - one);
}

test('files with a word are found, more and denser mentions first', () => {
  expect(scores(liveFiles([FILES]), 'evict from cache').map(([path]) => path)).toEqual([
    'a/cache.ts',
    'a/mention.ts',
    'a/long.ts',
  ]);
});

test('what is defined counts more than what is mentioned', () => {
  const segments = liveFiles([
    { 'a.ts': 'export function retry() {\n  go();\n}\n', 'b.ts': 'export function other() {\n  retry();\n}\n' },
  ]);

  expect(scores(segments, 'retry').map(([path]) => path)).toEqual(['a.ts', 'b.ts']);
});

test('a word in the name of a file finds it, though its text has none', () => {
  const segments = liveFiles([
    { 'net/throttle.ts': 'export const limit = 4;\n', 'net/other.ts': 'export const a = 1;\n' },
  ]);
  const { candidates } = collectCandidates(segments, readQuestion('how throttling works'), undefined);

  expect(candidates.map(({ segment, file }) => segment.reader.path(file))).toEqual(['net/throttle.ts']);
});

test('a synonym finds names, and leaves the text alone', () => {
  const segments = liveFiles([{ 'auth.ts': 'export const a = 1;\n', 'text.ts': '// auth auth auth\n' }]);
  const { candidates } = collectCandidates(segments, readQuestion('how authentication works'), undefined);

  expect(candidates.map(({ segment, file }) => segment.reader.path(file))).toEqual(['auth.ts']);
});

test('files outside the view are not found, and change no score and no feature of the others', () => {
  const outside = Object.fromEntries(
    Array.from({ length: 30 }, (_, index) => [
      `a/outside${index}.ts`,
      `import { evictOldest } from './cache.ts';\nexport const evictedCache${index} = evictOldest(cache);\n`,
    ]),
  );
  const inside = liveFiles([FILES]);
  const within = liveFiles([{ ...FILES, ...outside }], Object.keys(outside));
  const question = readQuestion('evict from cache');

  expect(scores(within, 'evict from cache')).toEqual(scores(inside, 'evict from cache'));
  expect(fileFeatures(question, collectCandidates(within, question, undefined))).toEqual(
    fileFeatures(question, collectCandidates(inside, question, undefined)),
  );
});

test('files in several segments are scored as in one', () => {
  const [first, ...others] = Object.entries(FILES);
  const apart = liveFiles([Object.fromEntries([first!]), Object.fromEntries(others)]);
  const question = readQuestion('evict from cache');

  expect(scores(apart, 'evict from cache')).toEqual(scores(liveFiles([FILES]), 'evict from cache'));
  expect(fileFeatures(question, collectCandidates(apart, question, undefined))).toEqual(
    fileFeatures(question, collectCandidates(liveFiles([FILES]), question, undefined)),
  );
});

test('a question leaves nothing behind for the next one', () => {
  const segments = liveFiles([FILES]);
  const before = scores(segments, 'evict from cache');
  scores(segments, 'filler other things');

  expect(scores(segments, 'evict from cache')).toEqual(before);
});

test('of very many files those that promise most are looked at, and those with the best text', () => {
  const many = Object.fromEntries(
    Array.from({ length: 400 }, (_, index) => [`cache/f${index}.ts`, `export const v${index} = 1;\n`]),
  );
  const segments = liveFiles([
    { ...many, 'x/cache.ts': 'export const a = 1;\n', 'x/text.ts': '// cache cache cache\n' },
  ]);
  const { candidates } = collectCandidates(segments, readQuestion('cache'), undefined);
  const paths = candidates.map(({ segment, file }) => segment.reader.path(file));

  expect(paths).toHaveLength(80);
  expect(paths).toEqual(expect.arrayContaining(['x/cache.ts', 'x/text.ts']));
});

test('where many files have the rarer word, those with nothing but the commoner one are left out, and it still counts in the others', () => {
  const files = (count: number, folder: string, text: string) =>
    Array.from({ length: count }, (_, index) => [`${folder}/f${index}.ts`, text] as const);
  const segments = liveFiles([
    Object.fromEntries([
      ...files(1_100, 'rare', '// quagga\n'),
      ...files(1_200, 'common', '// zebra zebra zebra\n'),
      ['both.ts', '// quagga zebra\n'],
    ]),
  ]);
  const { candidates } = collectCandidates(segments, readQuestion('where is the quagga zebra'), undefined);
  const paths = candidates.map(({ segment, file }) => segment.reader.path(file));

  expect(paths[0]).toBe('both.ts');
  expect(candidates[0]!.mask).toBe(0b11);
  expect(paths.filter((path) => path.startsWith('common/'))).toEqual([]);
});
