import { execFileSync } from 'node:child_process';
import { mkdirSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { tempFolder } from '@dragoman/testkit';
import { expect, test } from 'vitest';
import { ownRepository } from './own-repository.ts';

/** Two projects side by side, each with a commit. */
function projects() {
  const base = realpathSync(tempFolder());
  const git = (folder: string, ...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=A', '-c', 'user.email=a@example.com', ...args], { cwd: join(base, folder) });
  for (const name of ['app', 'other']) {
    mkdirSync(join(base, name, 'src'), { recursive: true });
    git(name, 'init', '--quiet');
    git(name, 'commit', '--quiet', '--allow-empty', '--message', 'first');
  }
  return { base, app: join(base, 'app'), other: join(base, 'other'), git };
}

test('a repository, a folder of it and a link to it have it as their own, and elsewhere there is none', () => {
  const { base, app } = projects();
  symlinkSync('app', join(base, 'linked'));
  expect(ownRepository(app)).toEqual({ root: app });
  expect(ownRepository(join(app, 'src'))).toEqual({ root: app });
  expect(ownRepository(join(base, 'linked', 'src'))).toEqual({ root: app });
  expect(ownRepository(base)).toBeUndefined();
});

test('a work tree, a submodule and a git directory beside the sources are own', () => {
  const { base, app, git } = projects();
  git('app', 'worktree', 'add', '--quiet', '../tree');
  git('app', '-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', '../other', 'module');
  git('app', 'init', '--quiet', '--separate-git-dir', 'src/repository', 'src/work');
  for (const folder of [join(base, 'tree'), join(app, 'module'), join(app, 'src/work')])
    expect(ownRepository(folder)).toEqual({ root: folder });
});

test.each<[what: string, objection: string, change: (app: string, other: string) => void]>([
  [
    'is a link to that of another project',
    'the repository is kept elsewhere',
    (app) => {
      rmSync(join(app, '.git'), { recursive: true });
      symlinkSync('../other/.git', join(app, '.git'));
    },
  ],
  [
    'is a file that names that of another project',
    'the repository is kept elsewhere',
    (app) => {
      rmSync(join(app, '.git'), { recursive: true });
      writeFileSync(join(app, '.git'), 'gitdir: ../other/.git\n');
    },
  ],
  [
    'has everything in common with that of another project',
    'the repository is kept elsewhere',
    (app) => writeFileSync(join(app, '.git/commondir'), '../../other/.git\n'),
  ],
  [
    'names the objects of another project',
    'the repository takes its objects from elsewhere',
    (app, other) => writeFileSync(join(app, '.git/objects/info/alternates'), `${other}/.git/objects\n`),
  ],
  [
    'has a link to the objects of another project',
    'the repository takes its objects from elsewhere',
    (app, other) => {
      rmSync(join(app, '.git/objects/pack'), { recursive: true });
      symlinkSync(join(other, '.git/objects/pack'), join(app, '.git/objects/pack'));
    },
  ],
  [
    'is a file that leads nowhere',
    'what the repository would run could not be found out',
    (app) => {
      rmSync(join(app, '.git'), { recursive: true });
      writeFileSync(join(app, '.git'), 'gitdir: ../nowhere\n');
    },
  ],
])('a .git that %s is objected to', (_, objection, change) => {
  const { app, other } = projects();
  change(app, other);
  expect(ownRepository(join(app, 'src'))).toEqual({ root: app, objection });
});
