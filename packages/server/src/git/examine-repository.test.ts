import { chmodSync, existsSync, mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { expect, test } from 'vitest';
import { examineRepository } from './examine-repository.ts';
import { gitGuard } from './git-environment.ts';
import { type HostileRepository, hostileRepository } from './hostile-repository.fixture.ts';

interface Trick {
  name: string;
  prepare: (repository: HostileRepository) => void;
  line: string;
  /** Only a question helps. */
  objection?: string;
}

const changed = ({ write }: HostileRepository) => write({ 'a.txt': 'THREE\n' });
const filtered = (repository: HostileRepository, filter = 'x') => {
  repository.write({ '.gitattributes': `*.txt filter=${filter}\n` });
  changed(repository);
};
const signed = ({ git, root, set, evil }: HostileRepository) => {
  set('gpg.program', evil);
  const commit = git('cat-file', 'commit', 'HEAD').replace(
    '\n\n',
    '\ngpgsig -----BEGIN PGP SIGNATURE-----\n \n x\n -----END PGP SIGNATURE-----\n\n',
  );
  writeFileSync(join(root, '.git', 'signed'), commit);
  git('update-ref', 'HEAD', git('hash-object', '-t', 'commit', '-w', '.git/signed').trim());
};
/** A repository inside, which git knows as a submodule, and which is hostile itself. */
const submodule = ({ git, root, evil, write }: HostileRepository, more = '') => {
  mkdirSync(join(root, 'inner'));
  git('-C', 'inner', 'init', '--quiet');
  write({ 'inner/c.txt': 'c\n' });
  git('-C', 'inner', 'add', '--all');
  git('-C', 'inner', 'commit', '--quiet', '-m', 'inner');
  git('-C', 'inner', 'config', 'core.fsmonitor', evil);
  git('-C', 'inner', 'config', 'diff.external', evil);
  write({ '.gitmodules': `[submodule "m"]\n\tpath = inner\n\turl = ./inner\n${more}` });
  git('-c', 'advice.addEmbeddedRepo=false', 'add', '--all');
  git('commit', '--quiet', '-m', 'with a submodule');
  write({ 'inner/c.txt': 'changed\n' });
};
/** The same, with `.gitmodules` nowhere but in the index. */
const stagedModules = (repository: HostileRepository, more: string) => {
  submodule(repository, more);
  rmSync(join(repository.root, '.gitmodules'));
};
const NOT_FOUND_OUT = 'it is unclear what the repository would run';
const FILES_ELSEWHERE = 'the repository has its files elsewhere';

const TRICKS: readonly Trick[] = [
  { name: 'core.fsmonitor', prepare: ({ set, evil }) => set('core.fsmonitor', evil), line: 'git status' },
  {
    name: 'a clean filter',
    prepare: (repository) => {
      repository.set('filter.x.clean', repository.evil);
      filtered(repository);
    },
    line: 'git status',
  },
  {
    name: 'a filter process',
    prepare: (repository) => {
      repository.set('filter.x.process', repository.evil);
      filtered(repository);
    },
    line: 'git diff',
  },
  {
    name: 'a filter with a strange name',
    prepare: (repository) => {
      repository.set('filter.a.b=c.clean', repository.evil);
      repository.set('filter.a.b=c.required', 'true');
      filtered(repository, 'a.b=c');
    },
    line: 'git status',
  },
  {
    name: 'a filter in an included file',
    prepare: (repository) => {
      repository.write({ 'more.config': `[filter "x"]\n\tclean = ${repository.evil}\n` });
      repository.set('include.path', '../more.config');
      filtered(repository);
    },
    line: 'git status',
  },
  {
    name: 'a filter in a file that is included on this branch',
    prepare: (repository) => {
      repository.write({ 'more.config': `[filter "x"]\n\tclean = ${repository.evil}\n` });
      repository.set('includeIf.onbranch:main.path', '../more.config');
      filtered(repository);
    },
    line: 'git status',
  },
  {
    name: 'a filter of the work tree',
    prepare: (repository) => {
      repository.set('extensions.worktreeConfig', 'true');
      repository.git('config', '--worktree', 'filter.x.clean', repository.evil);
      filtered(repository);
    },
    line: 'git status',
  },
  {
    name: 'a filter named in info/attributes',
    prepare: (repository) => {
      repository.set('filter.x.clean', repository.evil);
      mkdirSync(join(repository.root, '.git', 'info'), { recursive: true });
      writeFileSync(join(repository.root, '.git', 'info', 'attributes'), '* filter=x\n');
      changed(repository);
    },
    line: 'git status',
  },
  {
    name: 'an extension of Git LFS, which the user has set up',
    prepare: (repository) => {
      // It stands for Git LFS, which is not everywhere: it runs what the repository names.
      repository.git('config', '--global', 'filter.lfs.clean', '$(git config lfs.extension.x.clean)');
      repository.set('lfs.extension.x.clean', repository.evil);
      filtered(repository, 'lfs');
    },
    line: 'git status',
  },
  {
    name: 'a hook',
    prepare: ({ root, evil, touch }) => {
      mkdirSync(join(root, '.git', 'hooks'), { recursive: true });
      symlinkSync(evil, join(root, '.git', 'hooks', 'post-index-change'));
      touch('a.txt');
    },
    line: 'git status',
  },
  {
    name: 'hooks in a folder of the work tree',
    prepare: ({ root, evil, set, touch }) => {
      mkdirSync(join(root, 'tools'));
      symlinkSync(evil, join(root, 'tools', 'post-index-change'));
      set('core.hooksPath', 'tools');
      touch('a.txt');
    },
    line: 'git status',
  },
  {
    name: 'a merge driver',
    prepare: (repository) => {
      repository.set('merge.x.driver', repository.evil);
      repository.write({ '.gitattributes': '*.txt merge=x\n' });
    },
    line: 'git log -1 -p --remerge-diff',
  },
  { name: 'the program for signatures', prepare: signed, line: "git log -1 --format='%G?'" },
  {
    name: 'the program for signatures, and a setting that asks for it',
    prepare: (repository) => {
      signed(repository);
      repository.set('log.showSignature', 'true');
    },
    line: 'git log -1',
  },
  {
    name: 'the program for signatures in a format of its own',
    prepare: (repository) => {
      signed(repository);
      repository.set('format.pretty', '%GK');
      repository.set('gpg.openpgp.program', repository.evil);
    },
    line: 'git show --stat',
  },
  {
    name: 'a remote that objects are fetched from',
    prepare: ({ git, set, evil }) => {
      set('extensions.partialClone', 'origin');
      set('remote.origin.url', `ext::${evil}`);
      set('remote.origin.promisor', 'true');
      set('protocol.ext.allow', 'always');
      set('core.repositoryFormatVersion', '1');
      git('update-index', '--cacheinfo', `100644,${'1'.repeat(40)},a.txt`);
    },
    line: 'git diff --cached',
  },
  { name: 'a hostile submodule', prepare: (repository) => submodule(repository), line: 'git status' },
  {
    name: 'a hostile submodule that asks to be looked into',
    prepare: (repository) => submodule(repository, '\tignore = none\n'),
    line: 'git status',
  },
  {
    name: 'a hostile submodule that asks to be looked into by what is staged',
    prepare: (repository) => stagedModules(repository, '\tignore = none\n'),
    line: 'git status',
  },
  {
    name: 'a hostile submodule that asks to be looked into by what is committed',
    prepare: (repository) => {
      stagedModules(repository, '\tignore = none\n');
      repository.git('rm', '--quiet', '--cached', '.gitmodules');
    },
    line: 'git status',
  },
  {
    name: 'a hostile submodule, and a broken line behind what it asks for',
    prepare: (repository) => stagedModules(repository, '\tignore = none\n[bad\n'),
    line: 'git status',
    objection: NOT_FOUND_OUT,
  },
  {
    name: 'a hostile submodule, and the setting to look into it',
    prepare: (repository) => {
      submodule(repository);
      repository.set('submodule.m.ignore', 'none');
      repository.set('diff.ignoreSubmodules', 'none');
    },
    line: 'git diff',
  },
  {
    name: 'a hostile submodule in a diff that shows its changes',
    prepare: (repository) => {
      submodule(repository);
      repository.git('-C', 'inner', '-c', 'core.fsmonitor=false', 'commit', '--quiet', '-am', 'changed');
      repository.set('diff.submodule', 'diff');
    },
    line: 'git diff',
  },
  {
    name: 'a repository that somebody committed',
    prepare: ({ write, evil }) =>
      write({
        'docs/repo/HEAD': 'ref: refs/heads/main\n',
        'docs/repo/objects/k': '',
        'docs/repo/refs/k': '',
        'docs/work/k': '',
        'docs/repo/config': `[core]\n\trepositoryformatversion = 0\n\tbare = false\n\tworktree = ../work\n\tfsmonitor = ${evil}\n`,
      }),
    line: 'cd docs/repo && git status',
  },
  {
    name: 'a repository that a file points at',
    prepare: ({ write, evil }) =>
      write({
        'docs/repo/HEAD': 'ref: refs/heads/main\n',
        'docs/repo/objects/k': '',
        'docs/repo/refs/k': '',
        'docs/repo/config': `[core]\n\trepositoryformatversion = 0\n\tbare = false\n\tfsmonitor = ${evil}\n`,
        'docs/work/.git': 'gitdir: ../repo\n',
      }),
    line: 'cd docs/work && git status',
  },
  {
    name: 'diff.external',
    prepare: (repository) => {
      repository.set('diff.external', repository.evil);
      changed(repository);
    },
    line: 'git diff',
    objection: 'the repository sets diff.external',
  },
  {
    name: 'the command of a diff driver',
    prepare: (repository) => {
      repository.set('diff.x.command', repository.evil);
      repository.write({ '.gitattributes': '*.txt diff=x\n' });
      changed(repository);
    },
    line: 'git diff',
    objection: 'the repository sets diff.x.command',
  },
  {
    name: 'a converter for diffs',
    prepare: (repository) => {
      repository.set('diff.x.textconv', repository.evil);
      repository.write({ '.gitattributes': '*.txt diff=x\n' });
      changed(repository);
    },
    line: 'git log -1 -p -m',
    objection: 'the repository sets diff.x.textconv',
  },
  {
    name: 'a converter for diffs, where the files are said to be in a folder that is not there',
    prepare: (repository) => {
      repository.set('diff.x.textconv', repository.evil);
      repository.set('core.worktree', '/nonexistent-folder');
      mkdirSync(join(repository.root, '.git', 'info'), { recursive: true });
      writeFileSync(join(repository.root, '.git', 'info', 'attributes'), '* diff=x\n');
    },
    line: 'git log -1 -p -m',
    objection: FILES_ELSEWHERE,
  },
  {
    name: 'diff.external, and a folder that is only made by the command',
    prepare: (repository) => {
      repository.set('diff.external', repository.evil);
      changed(repository);
    },
    line: 'cd made-later && git diff',
    objection: NOT_FOUND_OUT,
  },
  {
    name: 'a folder named .git that is none, in a repository with a program for diffs',
    prepare: (repository) => {
      repository.set('diff.external', repository.evil);
      changed(repository);
      repository.write({ 'sub/.git/HEAD': '' });
    },
    line: 'cd sub && git diff ..',
    objection: NOT_FOUND_OUT,
  },
  {
    name: 'a folder named .git that is none, below a folder whose name git takes for two',
    prepare: (repository) => {
      repository.set('diff.external', repository.evil);
      changed(repository);
      repository.write({ 'a:b/sub/.git/HEAD': '', 'a:b/sub/.git/config': '[x]\n\ty = 1\n' });
    },
    line: 'cd a:b/sub && git diff ../..',
    objection: NOT_FOUND_OUT,
  },
];

test.each(TRICKS)(
  '$name runs in a plain git, and not in one that was guarded',
  async ({ prepare, line, objection }) => {
    const repository = hostileRepository();
    const { root, environment, mark, leavesMark } = repository;
    prepare(repository);
    const folder = join(root, /^cd (\S+)/.exec(line)?.[1] ?? '');
    expect(leavesMark(line.replace('cd made-later', 'mkdir made-later && cd made-later'))).toBe(true);
    rmSync(join(root, 'made-later'), { recursive: true, force: true });
    rmSync(mark);

    const examined = await examineRepository(folder, environment);

    expect(existsSync(mark)).toBe(false);
    expect(examined.objection).toBe(objection);
    const isLeft = objection === undefined && leavesMark(line, gitGuard(examined.settings));
    expect(isLeft).toBe(false);
  },
);

test.each<[setting: string, line: string]>([
  ['core.attributesFile', 'git diff'],
  ['core.excludesFile', 'git check-ignore -v --no-index sub/b.txt'],
  ['mailmap.file', 'git log -1 --format=%aN'],
  ['diff.orderFile', 'git show --name-only --format= main~2'],
])('a file outside that %s names is shown by a plain git, and not by one that was guarded', async (key, line) => {
  const repository = hostileRepository();
  const { root, environment, set, shown } = repository;
  const outside = join(root, '..', 'outside');
  writeFileSync(outside, 'secret a!b\nsecret <a@example.com>\nsub/b.txt\n');
  changed(repository);
  const before = shown(line);
  set(key, outside);
  expect(shown(line)).not.toBe(before);

  const { objection, settings } = await examineRepository(root, environment);

  expect(objection).toBeUndefined();
  expect(shown(line, gitGuard(settings))).toBe(before);
});

test('settings are taken from the repository and from files of its project, and from nowhere else', async () => {
  const { root, environment, set, write } = hostileRepository();
  const [elsewhere, objection] = [join(root, '..', 'elsewhere'), 'the repository includes settings from elsewhere'];
  writeFileSync(elsewhere, '[remote "origin"]\n\turl = https://ada:secret@example.com/a.git\n');
  symlinkSync(elsewhere, join(root, 'linked'));
  write({ '.netrc': '[a]\n\tb = c\n', 'shared.config': '[a]\n\tb = c\n', '.git/more': '[a]\n\tb = c\n' });

  for (const path of ['../shared.config', 'more']) {
    set('include.path', path);
    expect(await examineRepository(join(root, 'sub'), environment)).toEqual({ root, settings: [] });
  }
  for (const path of [elsewhere, '../linked', '../.netrc', '~/elsewhere']) {
    set('include.path', path);
    expect(await examineRepository(join(root, 'sub'), environment)).toEqual({ settings: [], objection });
  }
});

test.each<[what: string, line: string, prepare: (repository: HostileRepository) => void]>([
  ['a program for signatures', "git log -1 --format='%G?'", signed],
  [
    'a merge driver',
    'git log -1 -p --remerge-diff',
    ({ set, write, evil }) => {
      set('merge.x.driver', evil);
      write({ '.gitattributes': '*.txt merge=x\n' });
    },
  ],
])('what takes the place of %s is no program of the project', async (_, line, prepare) => {
  const repository = hostileRepository();
  const { root, environment, evil, leavesMark } = repository;
  prepare(repository);
  mkdirSync(join(root, 'bin'));
  for (const name of ['false', 'true', 'cat', 'null']) symlinkSync(evil, join(root, 'bin', name));
  expect(leavesMark(line)).toBe(true);

  const { settings } = await examineRepository(root, environment);

  const PATH = ['bin', environment['PATH']].join(delimiter);
  expect(leavesMark(line, { ...gitGuard(settings), PATH })).toBe(false);
});

test('an ordinary repository, a folder in one and a folder in none are without objection', async () => {
  const { root, environment, git, set } = hostileRepository();
  git('remote', 'add', 'origin', 'https://example.com/a.git');
  set('user.name', 'Ada');
  set('alias.st', 'status');

  for (const folder of [root, join(root, 'sub')])
    expect(await examineRepository(folder, environment)).toEqual({ root, settings: [] });
  expect(await examineRepository(join(root, '..'), environment)).toEqual({ settings: [] });
});

test('a repository whose files are elsewhere, or whose settings cannot be read, is objected to', async () => {
  const { root, environment, set } = hostileRepository();
  for (const place of ['/', join(root, '..'), join(root, 'sub'), '../..', '.', '/nowhere']) {
    set('core.worktree', place);
    expect(await examineRepository(root, environment)).toEqual({ settings: [], objection: FILES_ELSEWHERE });
  }
  for (const place of [root, '..', '../.']) {
    set('core.worktree', place);
    expect(await examineRepository(join(root, 'sub'), environment)).toEqual({ root, settings: [] });
  }
  writeFileSync(join(root, '.git', 'config'), '[broken');
  expect(await examineRepository(root, environment)).toEqual({ settings: [], objection: NOT_FOUND_OUT });
});

test('a git that does not take settings from variables is objected to', async () => {
  const { root, environment } = hostileRepository();
  const old = join(root, '..', 'old');
  mkdirSync(old);
  writeFileSync(join(old, 'git'), `#!/bin/sh\nunset GIT_CONFIG_COUNT\nPATH='${environment['PATH']}' exec git "$@"\n`);
  chmodSync(join(old, 'git'), 0o755);

  const path = [old, environment['PATH']].join(delimiter);
  expect(await examineRepository(root, { ...environment, PATH: path })).toEqual({
    settings: [],
    objection: 'git is older than 2.31',
  });
});

test('where there is no git nothing of a repository runs, and a folder that is not there is objected to', async () => {
  const { root, environment, set, evil } = hostileRepository();
  set('diff.external', evil);
  const nothing = { ...environment, PATH: join(root, '..', 'nothing') };
  expect(await examineRepository(root, nothing)).toEqual({ settings: [] });
  expect(await examineRepository(join(root, 'nowhere'), nothing)).toEqual({ settings: [], objection: NOT_FOUND_OUT });
});

test('git is asked twice about a repository, and three times where only the index says what its submodules are', async () => {
  const repository = hostileRepository();
  const { root, environment, write } = repository;
  const traces = join(root, '..', 'traces');
  mkdirSync(traces);
  writeFileSync(join(root, '..', '.gitconfig'), `[trace2]\n\teventTarget = ${traces}\n`);
  const asked = async () => {
    for (const name of readdirSync(traces)) rmSync(join(traces, name));
    await examineRepository(root, environment);
    return readdirSync(traces).length;
  };

  expect(await asked()).toBe(2);
  write({ '.gitmodules': '[submodule "m"]\n\tpath = m\n' });
  expect(await asked()).toBe(2);
  repository.git('add', '--all');
  rmSync(join(root, '.gitmodules'));
  expect(await asked()).toBe(3);
});
