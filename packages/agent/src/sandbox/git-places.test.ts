import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { tempFolder } from '@dragoman/testkit';
import { expect, test } from 'vitest';
import { gitPlaces } from './git-places.ts';

function repository(): string {
  const dotGit = join(tempFolder(), '.git');
  mkdirSync(dotGit);
  return dotGit;
}

test.each<[what: string, make: (path: string) => unknown]>([
  ['a pipe that nobody writes to', (path) => execFileSync('mkfifo', [path])],
  ['a device that never ends', (path) => symlinkSync('/dev/zero', path)],
  ['a folder', (path) => mkdirSync(path)],
])('a file of git that is %s keeps nobody waiting', (_, make) => {
  const dotGit = repository();
  make(join(dotGit, 'commondir'));
  make(join(dotGit, 'config'));

  expect(gitPlaces(dotGit)).toEqual([
    dotGit,
    ...['hooks', 'config', 'config.worktree'].map((name) => join(dotGit, name)),
  ]);
});

test('files that include each other are read once, and a path of the home folder is meant there', () => {
  const dotGit = repository();
  writeFileSync(join(dotGit, 'config'), '[include]\n\tpath = more\n\tpath = ~/own\n');
  writeFileSync(join(dotGit, 'more'), '[include] path = config\n[core] hooksPath = "run"\n');

  expect(gitPlaces(dotGit)).toEqual(
    expect.arrayContaining([join(dotGit, 'more'), join(homedir(), 'own'), join(dotGit, '..', 'run')]),
  );
});
