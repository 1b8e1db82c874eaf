import { execFileSync } from 'node:child_process';
import { mkdirSync, realpathSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
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
  const own = { root: app, gitFolder: join(app, '.git'), commonFolder: join(app, '.git') };
  expect(ownRepository(app)).toEqual(own);
  expect(ownRepository(join(app, 'src'))).toEqual(own);
  expect(ownRepository(join(base, 'linked', 'src'))).toEqual(own);
  expect(ownRepository(base)).toBeUndefined();
});

test('a work tree, a submodule and a git directory beside the sources are own', () => {
  const { base, app, git } = projects();
  git('app', 'worktree', 'add', '--quiet', '../tree');
  git('app', '-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', '../other', 'module');
  git('app', 'init', '--quiet', '--separate-git-dir', 'src/repository', 'src/work');
  const [trees, modules, beside] = ['.git/worktrees/tree', '.git/modules/module', 'src/repository'].map((path) =>
    join(app, path),
  );
  for (const [root, gitFolder, commonFolder] of [
    [join(base, 'tree'), trees, join(app, '.git')],
    [join(app, 'module'), modules, modules],
    [join(app, 'src/work'), beside, beside],
  ])
    expect(ownRepository(root!)).toEqual({ root, gitFolder, commonFolder });
});

test.each<[what: string, objection: string, change: (app: string, other: string) => void]>([
  [
    'is a link to that of another project',
    'the repository is stored elsewhere',
    (app) => {
      rmSync(join(app, '.git'), { recursive: true });
      symlinkSync('../other/.git', join(app, '.git'));
    },
  ],
  [
    'is a file that names that of another project',
    'the repository is stored elsewhere',
    (app) => {
      rmSync(join(app, '.git'), { recursive: true });
      writeFileSync(join(app, '.git'), 'gitdir: ../other/.git\n');
    },
  ],
  [
    'has everything in common with that of another project',
    'the repository is stored elsewhere',
    (app) => writeFileSync(join(app, '.git/commondir'), '../../other/.git\n'),
  ],
  [
    'names the objects of another project',
    'the repository uses objects from elsewhere',
    (app, other) => writeFileSync(join(app, '.git/objects/info/alternates'), `${other}/.git/objects\n`),
  ],
  ...[
    'config',
    'packed-refs',
    'refs',
    'refs/heads/dragoman',
    'refs/heads/hooks/a',
    'refs/heads/objects/ab/a',
    'logs/refs/heads',
    'worktrees',
    'worktrees/evil',
    'worktrees/tree/gitdir',
    'objects',
    'objects/pack',
    'objects/pack/pack-1.pack',
    'objects/ab',
    'objects/info/commit-graphs/commit-graph-chain',
    'modules/module/objects/pack',
    'lfs/objects/ab',
    'BISECT_START',
    'rebase-merge/done',
    'info/grafts',
  ].map((name): [string, string, (app: string, other: string) => void] => [
    `has a link in place of its ${name}`,
    'the repository has links in its .git',
    (app, other) => {
      rmSync(join(app, '.git', name), { recursive: true, force: true });
      mkdirSync(join(app, '.git', name, '..'), { recursive: true });
      symlinkSync(join(other, '.git', name), join(app, '.git', name));
    },
  ]),
  [
    'has its branch in a link, as old versions of git made it',
    'the repository has links in its .git',
    (app) => {
      rmSync(join(app, '.git/HEAD'));
      symlinkSync('refs/heads/main', join(app, '.git/HEAD'));
    },
  ],
  [
    'has a link in a folder whose name is no text',
    'it is unclear what the repository would run',
    (app) => {
      const folder = Buffer.from(join(app, '.git/refs/heads/r\xff'), 'latin1');
      mkdirSync(folder);
      symlinkSync('../../../config', Buffer.concat([folder, Buffer.from('/a')]));
    },
  ],
  [
    'has more folders than can be looked at',
    'it is unclear what the repository would run',
    (app) => {
      for (let at = 0; at < 2500; at++) mkdirSync(join(app, '.git/refs/heads', String(at)));
    },
  ],
  [
    'is a file that names a link by a blank at the end of its name',
    'the repository is stored elsewhere',
    (app) => {
      renameSync(join(app, '.git'), join(app, 'real'));
      writeFileSync(join(app, '.git'), 'gitdir: real \n');
      symlinkSync('../other/.git', join(app, 'real '));
    },
  ],
  [
    'is a file that names a link by a blank at the beginning of its name',
    'the repository is stored elsewhere',
    (app) => {
      renameSync(join(app, '.git'), join(app, 'real'));
      writeFileSync(join(app, '.git'), 'gitdir:  real\n');
      symlinkSync('../other/.git', join(app, ' real'));
    },
  ],
  [
    'is a file that goes back from where a link leads',
    'the repository is stored elsewhere',
    (app) => {
      renameSync(join(app, '.git'), join(app, 'real'));
      renameSync(join(app, '../other/.git'), join(app, '../other/real'));
      writeFileSync(join(app, '.git'), 'gitdir: link/../real\n');
      symlinkSync('../other/src', join(app, 'link'));
    },
  ],
  [
    'is a file whose bytes are no text',
    'it is unclear what the repository would run',
    (app) => {
      renameSync(join(app, '.git'), join(app, 'r\ufffd'));
      writeFileSync(join(app, '.git'), Buffer.from('gitdir: r\xff\n', 'latin1'));
      symlinkSync('../other/.git', Buffer.from(join(app, 'r\xff'), 'latin1'));
    },
  ],
  [
    'is a link to the file of a work tree of another project',
    'it is unclear what the repository would run',
    (app, other) => {
      execFileSync('git', ['worktree', 'add', '--quiet', '../tree'], { cwd: other });
      rmSync(join(app, '.git'), { recursive: true });
      symlinkSync('../tree/.git', join(app, '.git'));
    },
  ],
  [
    'is a link to a file beside it, which names that of another project',
    'the repository is stored elsewhere',
    (app) => {
      rmSync(join(app, '.git'), { recursive: true });
      writeFileSync(join(app, 'named'), 'gitdir: ../other/.git\n');
      symlinkSync('named', join(app, '.git'));
    },
  ],
  [
    'shares a pipe',
    'it is unclear what the repository would run',
    (app) => void execFileSync('mkfifo', [join(app, '.git/commondir')]),
  ],
  [
    'shares what a device without an end says',
    'it is unclear what the repository would run',
    (app) => symlinkSync('/dev/zero', join(app, '.git/commondir')),
  ],
  [
    'is a pipe',
    'it is unclear what the repository would run',
    (app) => {
      rmSync(join(app, '.git'), { recursive: true });
      execFileSync('mkfifo', [join(app, '.git')]);
    },
  ],
  [
    'is a file that leads nowhere',
    'it is unclear what the repository would run',
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

test('hooks may be links, and so may what git does not read', () => {
  const { app, other } = projects();
  const gitFolder = join(app, '.git');
  rmSync(join(gitFolder, 'hooks'), { recursive: true, force: true });
  symlinkSync(join(other, 'src'), join(gitFolder, 'hooks'));
  mkdirSync(join(gitFolder, 'annex'));
  symlinkSync(other, join(gitFolder, 'annex', 'a'));
  mkdirSync(join(gitFolder, 'modules/module/hooks'), { recursive: true });
  symlinkSync('../../../config', join(gitFolder, 'modules/module/hooks/pre-commit'));
  expect(ownRepository(app)).toEqual({ root: app, gitFolder, commonFolder: gitFolder });
});
