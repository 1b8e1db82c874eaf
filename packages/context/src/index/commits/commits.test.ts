import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { inTurns } from '@dragoman/server/base';
import { tempFolder } from '@dragoman/testkit';
import { expect, test } from 'vitest';
import { CommitSearch } from './commit-search.ts';
import { formatCommits } from './format-commits.ts';
import { type Commit, readCommits } from './read-commits.ts';
import { gitRepository } from './git-repository.fixture.ts';

const subjects = (commits: readonly Commit[]) => commits.map((commit) => commit.subject);

test('SYNC-76 a history is read with message, author, time and changed files, the newest commit first', async () => {
  const repository = gitRepository();
  repository.commit('Add the parser', { 'src/parser.ts': 'a' }, 'It reads numbers.\n\nAnd names.');
  repository.commit('Grüße, 世界', { 'docs/with space.md': 'b', 'src/parser.ts': 'c' });

  expect(await readCommits(repository.root)).toEqual([
    {
      sha: expect.stringMatching(/^[0-9a-f]{40}$/),
      time: '2026-01-02T03:04:06+00:00',
      author: 'Ada',
      subject: 'Grüße, 世界',
      body: '',
      paths: ['docs/with space.md', 'src/parser.ts'],
    },
    {
      sha: expect.stringMatching(/^[0-9a-f]{40}$/),
      time: '2026-01-02T03:04:05+00:00',
      author: 'Ada',
      subject: 'Add the parser',
      body: 'It reads numbers.\n\nAnd names.',
      paths: ['src/parser.ts'],
    },
  ]);
});

test('SYNC-76 commits are found by their message and by their files, and none for words they do not have', async () => {
  const repository = gitRepository();
  repository.commit('Add the tokenizer', { 'src/tokenizer.ts': '1' });
  repository.commit('Limit the number of login attempts', { 'src/door.ts': '1' }, 'Wrong passwords wait longer.');
  repository.commit('Rename a variable', { 'src/payments/invoice.ts': '1' });
  const search = new CommitSearch();
  const find = async (query: string) => subjects(await search.search(repository.root, query, 5));

  expect(await find('why do wrong passwords have to wait?')).toEqual(['Limit the number of login attempts']);
  expect(await find('changes of invoices')).toEqual(['Rename a variable']);
  expect(await find('kubernetes')).toEqual([]);
  repository.commit('Payments: round half up', { 'src/payments/round.ts': '1' });
  expect(await find('payments')).toEqual(['Payments: round half up', 'Rename a variable']);
  expect(subjects(await search.latest(repository.root, 2))).toEqual(['Payments: round half up', 'Rename a variable']);
});

test('a folder without a repository of its own has no commits', async () => {
  const repository = gitRepository();
  repository.commit('Outside', { 'inner/a.ts': '1' });
  const empty = tempFolder();
  execFileSync('git', ['init', '--quiet', empty]);

  for (const root of [join(repository.root, 'inner'), tempFolder(), empty, '/nowhere/at/all'])
    expect(await readCommits(root)).toEqual([]);
});

test('a repository cannot have programs run by its settings', async () => {
  const repository = gitRepository();
  repository.commit('First', { 'a.ts': '1' });
  const proof = join(tempFolder(), 'proof');
  const program = join(repository.root, 'program.sh');
  writeFileSync(program, `#!/bin/sh\ntouch ${proof}\n`, { mode: 0o755 });
  for (const [setting, value] of [
    ['core.fsmonitor', program],
    ['gpg.program', program],
    ['log.showSignature', 'true'],
    ['core.pager', program],
    ['diff.external', program],
    ['core.sshCommand', program],
  ])
    execFileSync('git', ['config', setting!, value!], { cwd: repository.root });

  expect(subjects(await readCommits(repository.root))).toEqual(['First']);
  expect(existsSync(proof)).toBe(false);
});

test('a bare repository that hides in a workspace is not read', async () => {
  const root = tempFolder();
  const bare = join(root, 'bare');
  mkdirSync(bare);
  execFileSync('git', ['init', '--quiet', '--bare', bare]);

  expect(await readCommits(bare)).toEqual([]);
});

test('the section holds as many commits as fit, without secrets, and is empty where none does', async () => {
  const commit = (subject: string, paths: string[]): Commit => ({
    sha: 'abcdef0123456789'.repeat(3).slice(0, 40),
    time: '2026-01-02T03:04:05+00:00',
    author: 'Ada',
    subject,
    body: 'Line one.\n\nLine two.',
    paths,
  });
  const secret = `ghp_${'a1B2'.repeat(9)}`;
  const commits = [
    commit(
      'First',
      Array.from({ length: 10 }, (_, number) => `${number}.ts`),
    ),
    commit(`Second ${secret}`, []),
  ];

  expect(await inTurns(formatCommits(commits.slice(0, 1), 10_000))).toBe(
    [
      'Commits that may have to do with it:',
      '',
      'abcdef012345 2026-01-02 Ada: First',
      '    Line one.',
      '',
      '    Line two.',
      '    Files: 0.ts, 1.ts, 2.ts, 3.ts, 4.ts, 5.ts, 6.ts, 7.ts and 2 more',
      '',
    ].join('\n'),
  );
  expect(await inTurns(formatCommits(commits, 10_000))).toContain('Ada: Second');
  expect(await inTurns(formatCommits(commits, 10_000))).not.toContain(secret);
  const cut = { ...commits[0]!, body: `${'x'.repeat(590)} ${secret}` };
  expect(await inTurns(formatCommits([cut], 10_000))).not.toMatch(/ghp_/);
  expect(await inTurns(formatCommits(commits, 200))).not.toContain('Second');
  expect(await inTurns(formatCommits(commits, 50))).toBe('');
  expect(await inTurns(formatCommits([], 10_000))).toBe('');
});
