import { expect, test } from 'vitest';
import { gitRepository } from '../../../packages/context/src/index/commits/git-repository.fixture.ts';
import { commitPairs } from './commit-pairs.ts';

const LINES = [
  'export function retry(times) {',
  '  for (let attempt = 0; attempt < times; attempt++) {',
  '    if (call()) return true;',
  '  }',
  '  return false;',
  '}',
];

function pairsOf(root: string): string[][] {
  return commitPairs(`${root}/.git`, 'HEAD', { commits: 100, most: 100 }).map(({ kind, path, query, code }) => [
    kind,
    path,
    query.join(' '),
    code.join(' '),
  ]);
}

test('the subject of a commit leads to what it changed, as it is after it', () => {
  const { root, commit } = gitRepository();
  commit('start', { 'src/net/retry.js': LINES.join('\n') });
  const changed = LINES.with(2, '    if (callWithTimeout(attempt)) return true;');
  commit('fix(net): give each attempt a time limit of its own (#12)', { 'src/net/retry.js': changed.join('\n') });

  expect(pairsOf(root)).toEqual([
    [
      'commit',
      'src/net/retry.js',
      'give each attempt time limit of its own',
      'net retry export function retry times for let attempt attempt times attempt if call with timeout attempt return true return false',
    ],
  ]);
});

test('a Chinese subject is read, too', () => {
  const { root, commit } = gitRepository();
  commit('start', { 'src/retry.js': LINES.join('\n') });
  commit('修复：重试超时', { 'src/retry.js': LINES.with(2, '    if (callWithTimeout()) return true;').join('\n') });

  expect(pairsOf(root).map(([, , query]) => query)).toEqual(['修 复 修复 重 试 重试 超 试超 时 超时']);
});

test.each(['chore: bump the version of everything', 'Merge branch main into other', 'fix', 'Release of version 2.0.0'])(
  'chores and subjects that say nothing are left out: %s',
  (subject) => {
    const { root, commit } = gitRepository();
    commit('start', { 'src/retry.js': LINES.join('\n') });
    commit(subject, { 'src/retry.js': LINES.with(2, '    if (callWithTimeout()) return true;').join('\n') });

    expect(pairsOf(root)).toEqual([]);
  },
);

test('commits over very many files, tests beside the code, and code of others are left out', () => {
  const { root, commit } = gitRepository();
  const files = (text: string, ...paths: string[]) => Object.fromEntries(paths.map((path) => [path, text]));
  const many = Array.from({ length: 7 }, (_, index) => `src/part-${index}.js`);
  const few = ['src/a.js', 'src/a.test.js', 'vendor/b.js'];
  commit('start', files(LINES.join('\n'), ...many, ...few));
  const changed = LINES.with(2, '    if (callWithTimeout()) return true;').join('\n');
  commit('every part has a time limit now', files(changed, ...many));
  commit('the first part has a time limit now', files(changed, ...few));

  expect(pairsOf(root).map(([, path]) => path)).toEqual(['src/a.js']);
});
