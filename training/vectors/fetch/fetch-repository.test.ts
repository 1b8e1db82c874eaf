import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { tempFolder } from '@dragoman/testkit';
import { expect, test } from 'vitest';
import { gitRepository } from '../../../packages/context/src/index/commits/git-repository.fixture.ts';
import type { Repository } from '../repository-list.ts';
import { fetchedCommit, fetchRepository } from './fetch-repository.ts';

function git(gitDir: string, ...args: string[]): string {
  return execFileSync('git', ['--git-dir', gitDir, ...args])
    .toString()
    .trim();
}

function repository(source: string, commit?: string): Repository {
  return { name: source, source, commit, licence: undefined, role: 'train' };
}

test('a repository is fetched at the commit that the list names, with its history, and then it is there', async () => {
  const { root, commit } = gitRepository();
  commit('one', { a: '1' });
  commit('two', { a: '2' });
  const second = git(`${root}/.git`, 'rev-parse', 'HEAD');
  commit('three', { a: '3' });
  const gitDir = join(tempFolder(), 'mirror');
  const wanted = repository(root, second);

  expect(fetchedCommit(gitDir, wanted)).toBeUndefined();
  await fetchRepository(wanted, gitDir);

  expect(fetchedCommit(gitDir, wanted)).toBe(second);
  expect(git(gitDir, 'log', '--format=%s', second)).toBe('two\none');
  expect(git(gitDir, 'rev-parse', '--is-bare-repository')).toBe('true');
});

test('without a commit the newest is fetched; when the list names another one later, that is fetched', async () => {
  const { root, commit } = gitRepository();
  commit('one', { a: '1' });
  const first = git(`${root}/.git`, 'rev-parse', 'HEAD');
  commit('two', { a: '2' });
  const second = git(`${root}/.git`, 'rev-parse', 'HEAD');
  const gitDir = join(tempFolder(), 'mirror');

  await fetchRepository(repository(root), gitDir);
  expect(fetchedCommit(gitDir, repository(root))).toBe(second);
  expect(fetchedCommit(gitDir, repository(root, first))).toBeUndefined();

  await fetchRepository(repository(root, first), gitDir);
  expect(fetchedCommit(gitDir, repository(root, first))).toBe(first);
});

test('a repository that is not there is told in the words of git', async () => {
  const source = join(tempFolder(), 'nothing');
  await expect(fetchRepository(repository(source), join(tempFolder(), 'mirror'))).rejects.toThrow(
    `fatal: '${source}' does not appear to be a git repository`,
  );
});
