import { expect, test } from 'vitest';
import { gitRepository } from '../../../packages/context/src/index/commits/git-repository.fixture.ts';
import { typescriptRepository } from '../small-repositories.fixture.ts';
import { extractRepository } from './extract-repository.ts';
import { PAIR_KINDS } from './pair.ts';

test('a repository gives pairs of all the kinds it has', async () => {
  const root = typescriptRepository();
  const extracted = await extractRepository({ gitDir: `${root}/.git`, commit: 'HEAD', isOwn: false });
  if ('refused' in extracted) throw new Error(extracted.refused);

  const count = (kind: string) => extracted.pairs.filter((pair) => pair.kind === kind).length;
  expect(Object.fromEntries(PAIR_KINDS.map((kind) => [kind, count(kind)]))).toEqual({
    doc: 40,
    name: 20,
    inline: 0,
    test: 0,
    head: 10,
    md: 1,
    commit: 1,
    both: 40,
  });
  expect(extracted).toMatchObject({ licence: 'MIT', files: 10 });
  expect(extracted.pairs.find(({ kind }) => kind === 'md')).toEqual({
    kind: 'md',
    path: 'src/tokens.ts',
    query: 'shop when somebody signs in makes the sign in last for another day'.split(' '),
    code: 'src tokens export function refresh token token id string const found session renew token id if found undefined return undefined return found token'.split(
      ' ',
    ),
  });
});

test('the same commit gives the same pairs again', async () => {
  const of = { gitDir: `${typescriptRepository()}/.git`, commit: 'HEAD', isOwn: false };

  expect(await extractRepository(of)).toEqual(await extractRepository(of));
});

test("a repository without a permissive licence is refused, unless it is one's own", async () => {
  const { root, commit } = gitRepository();
  commit('start', {
    'src/cache.ts':
      '/** Drops the entry that was used least recently. */\nexport function evictOldest(limit: number): void {\n  while (entries.size > limit) entries.delete(oldestOf(entries));\n}\n',
  });
  const of = { gitDir: `${root}/.git`, commit: 'HEAD' };

  expect(await extractRepository({ ...of, isOwn: false })).toMatchObject({ refused: 'there is no licence file' });
  expect(await extractRepository({ ...of, isOwn: true })).toMatchObject({ licence: 'own', files: 1 });
});

test('generated and vendored files are not read', async () => {
  const { root, commit } = gitRepository();
  const text =
    '/** Drops the entry that was used least recently. */\nexport function evictOldest(limit: number): void {\n  while (entries.size > limit) entries.delete(oldestOf(entries));\n}\n';
  commit('start', {
    'src/cache.ts': text,
    'vendor/cache.ts': text,
    'src/_vendor/cache.ts': text,
    'node_modules/a/cache.ts': text,
    'dist/cache.ts': text,
    'src/generated/cache.ts': text,
    'src/cache.min.js': text,
  });
  const extracted = await extractRepository({ gitDir: `${root}/.git`, commit: 'HEAD', isOwn: true });

  expect('pairs' in extracted && extracted.pairs.map(({ kind, path }) => `${kind} ${path}`)).toEqual([
    'doc src/cache.ts',
  ]);
});
