import { execFileSync } from 'node:child_process';
import { mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { HUB_CALLS } from '@dragoman/protocol/schemas';
import { tempFolder } from '@dragoman/testkit';
import { expect, test } from 'vitest';
import { openRepository } from './open-repository.ts';
import { readChanges } from './read-changes.ts';
import { testRepository } from './repository.fixture.ts';

test('changes are told with branch, kind and lines: staged or not, new, deleted, renamed, not text', async () => {
  const { root, git, write, open } = testRepository({
    'kept.ts': 'same\n',
    'edited.ts': 'one\ntwo\n',
    'both.ts': 'one\n',
    'gone.ts': 'one\n',
    'old name.ts': 'a\nb\nc\nd\ne\nf\n',
    'logo.png': Buffer.from([1, 0, 2]),
  });
  git('mv', 'old name.ts', 'new name.ts');
  write({ 'edited.ts': 'one\n2\nthree\n', 'both.ts': 'one\ntwo\n', 'logo.png': Buffer.from([1, 0, 3]) });
  git('add', 'both.ts');
  write({ 'both.ts': 'one\ntwo\nthree\n', 'src/a "b"\nc.ts': 'x\ny', 'empty.ts': '', 'data.bin': Buffer.from([0]) });
  rmSync(join(root, 'gone.ts'));
  symlinkSync('/etc/passwd', join(root, 'link'));

  const changes = await readChanges(await open());
  expect(changes).toEqual({
    isRepository: true,
    branch: 'main',
    files: [
      { path: 'both.ts', staged: 'modified', unstaged: 'modified', added: 2, removed: 0 },
      { path: 'data.bin', unstaged: 'added' },
      { path: 'edited.ts', unstaged: 'modified', added: 2, removed: 1 },
      { path: 'empty.ts', unstaged: 'added', added: 0, removed: 0 },
      { path: 'gone.ts', unstaged: 'deleted', added: 0, removed: 1 },
      { path: 'link', unstaged: 'added' },
      { path: 'logo.png', unstaged: 'modified' },
      { path: 'new name.ts', oldPath: 'old name.ts', staged: 'renamed', added: 0, removed: 0 },
      { path: 'src/a "b"\nc.ts', unstaged: 'added', added: 2, removed: 0 },
    ],
    isCut: false,
  });
  expect(HUB_CALLS.listFileChanges.answer.strict().parse(changes)).toEqual(changes);
});

test('in a folder of a repository only what is below is told, with paths from there', async () => {
  const { write, open } = testRepository({
    'top.ts': 'one\n',
    'packages/web/src/a.ts': 'one\n',
    'packages/b.ts': '1\n',
  });
  write({ 'top.ts': 'two\n', 'packages/web/src/a.ts': 'two\n', 'packages/b.ts': '2\n', 'packages/web/new.ts': '' });

  expect((await readChanges(await open('packages/web'))).files).toEqual([
    { path: 'new.ts', unstaged: 'added', added: 0, removed: 0 },
    { path: 'src/a.ts', unstaged: 'modified', added: 1, removed: 1 },
  ]);
});

test('a conflict is told as one, and how far the branch is from its upstream', async () => {
  const { git, write, open } = testRepository({ 'a.ts': 'one\n' });
  git('checkout', '--quiet', '-b', 'other');
  write({ 'a.ts': 'theirs\n' });
  git('commit', '--quiet', '-am', 'theirs');
  git('checkout', '--quiet', 'main');
  git('branch', '--quiet', '--set-upstream-to', 'other');
  write({ 'a.ts': 'ours\n' });
  git('commit', '--quiet', '-am', 'ours');
  expect(() => git('merge', 'other')).toThrow('merge other');

  expect(await readChanges(await open())).toMatchObject({
    branch: 'main',
    upstream: 'other',
    ahead: 1,
    behind: 1,
    files: [{ path: 'a.ts', unstaged: 'conflicted' }],
  });
});

test('before the first commit there are changes too', async () => {
  const { git, write, open } = testRepository();
  write({ 'a.ts': 'one\ntwo\n', 'b.ts': '' });
  git('add', 'a.ts');

  expect(await readChanges(await open())).toEqual({
    isRepository: true,
    branch: 'main',
    files: [
      { path: 'a.ts', staged: 'added', added: 2, removed: 0 },
      { path: 'b.ts', unstaged: 'added', added: 0, removed: 0 },
    ],
    isCut: false,
  });
});

test('another repository inside is not looked into, and thousands of files are cut', async () => {
  const { root, write, open } = testRepository({ 'a.ts': '' });
  mkdirSync(join(root, 'inner'));
  execFileSync('git', ['init', '--quiet'], { cwd: join(root, 'inner') });
  writeFileSync(join(root, 'inner', 'b.ts'), '');
  expect((await readChanges(await open())).files).toEqual([]);

  write(Object.fromEntries(Array.from({ length: 2_001 }, (_, index) => [`new/${index}`, ''])));
  const { files, isCut } = await readChanges(await open());
  expect([files.length, isCut]).toEqual([2_000, true]);
});

test('a folder that is in no repository has none, nor has one whose repository claims to be elsewhere', async () => {
  const folder = tempFolder();
  expect(await openRepository({ folder, environment: { PATH: process.env['PATH'] } })).toBeUndefined();
  expect(await readChanges(undefined)).toEqual({ isRepository: false, files: [], isCut: false });

  const { git, open } = testRepository({ 'a.ts': '' });
  git('config', 'core.worktree', '/etc');
  expect(await open()).toBeUndefined();
});
