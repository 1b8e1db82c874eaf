import { rounds } from '@dragoman/testkit';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { rankPaths } from './rank-paths.ts';

const PATHS = [
  'README.md',
  'src/hub/hub-client.ts',
  'src/hub/hub-client.test.ts',
  'src/http/club.ts',
  'src/hub/routes/close.ts',
  'src/components/SessionList.tsx',
  'src/components/session-list-item.tsx',
  'docs/hub/clients/index.md',
  'src/read-file.ts',
  'src/thread-profile.ts',
];

test('the file that is meant comes first', async () => {
  const first = async (typed: string) => (await rankPaths(PATHS, typed))[0];

  expect(await first('hubcl')).toBe('src/hub/hub-client.ts');
  expect(await first('hubclt')).toBe('src/hub/hub-client.ts');
  expect(await first('hub-client.test')).toBe('src/hub/hub-client.test.ts');
  expect(await first('readfile')).toBe('src/read-file.ts');
  expect(await first('SL')).toBe('src/components/SessionList.tsx');
  expect(await first('client test')).toBe('src/hub/hub-client.test.ts');
  expect(await first('docs/ind')).toBe('docs/hub/clients/index.md');
  expect(await first('readme.md')).toBe('README.md');
});

test('a word that is not in a path leaves it out, and nothing typed leaves all, those near first', async () => {
  expect(await rankPaths(PATHS, 'zebra')).toEqual([]);
  expect(await rankPaths(PATHS, 'hub zebra')).toEqual([]);
  expect((await rankPaths(PATHS, ' ')).length).toBe(PATHS.length);
  expect((await rankPaths(PATHS, ''))[0]).toBe('README.md');
});

/** The letters of one text are in another in that order. */
function hasInOrder(text: string, letters: string): boolean {
  let at = 0;
  for (const unit of text.split('')) if (unit === letters[at]) at += 1;
  return at === letters.length;
}

test('exactly the paths are found that have the letters in order', async () => {
  const letter = fc.constantFrom('a', 'b', 'A', '/', '-', 'ü', '𝄞');
  const path = fc.string({ unit: letter, minLength: 1, maxLength: 12 });
  await fc.assert(
    fc.asyncProperty(fc.array(path), fc.string({ unit: letter, maxLength: 4 }), async (paths, typed) => {
      const expected = paths.filter((one) => hasInOrder(one.toLowerCase(), typed.toLowerCase()));
      expect((await rankPaths(paths, typed)).sort()).toEqual(expected.sort());
    }),
    { numRuns: rounds(20_000) },
  );
});
