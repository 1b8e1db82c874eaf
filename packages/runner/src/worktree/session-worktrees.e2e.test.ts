import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { tempFolder } from '@dragoman/testkit';
import { expect, onTestFinished, test, vi } from 'vitest';
import { SessionWorktrees } from './session-worktrees.ts';

const SESSION = 'ses_01hf7yat007777777777abcdef';

function repository(): { root: string; git: (...args: string[]) => string } {
  const root = join(realpathSync(tempFolder()), 'app');
  mkdirSync(join(root, 'src'), { recursive: true });
  const identity = ['-c', 'user.name=T', '-c', 'user.email=t@example.com', '-c', 'init.defaultBranch=main'];
  const git = (...args: string[]) => execFileSync('git', [...identity, ...args], { cwd: root, encoding: 'utf8' });
  git('init', '-q');
  writeFileSync(join(root, 'src', 'a.ts'), 'one');
  git('add', '.');
  git('commit', '-qm', 'first');
  return { root, git };
}

const spec = (folder: string) => ({ sessionId: SESSION, agent: 'a', folder, worktree: true });

test('a session gets a worktree on a branch of its own, made from what is committed, and finds it again', async () => {
  const { root } = repository();
  writeFileSync(join(root, 'src', 'a.ts'), 'not committed');
  const worktrees = new SessionWorktrees(tempFolder());

  const first = await worktrees.open(spec(join(root, 'src')));
  expect(first.branch).toBe('dragoman/7777abcdef');
  expect(first.cwd.endsWith(`${SESSION}/app/src`)).toBe(true);
  expect(readFileSync(join(first.cwd, 'a.ts'), 'utf8')).toBe('one');
  expect(await worktrees.open(spec(join(root, 'src')))).toEqual(first);

  rmSync(first.cwd.replace('/app/src', '/app'), { recursive: true });
  expect(await worktrees.open(spec(join(root, 'src')))).toEqual(first);
});

test('a worktree without changes goes with its session; commits stay on the branch', async () => {
  const { root, git } = repository();
  const worktrees = new SessionWorktrees(tempFolder());
  const { cwd } = await worktrees.open(spec(root));
  writeFileSync(join(cwd, 'b.ts'), 'two');
  expect(await worktrees.remove(spec(root))).toEqual({ end: 'kept', path: cwd });
  expect(existsSync(join(cwd, 'b.ts'))).toBe(true);

  execFileSync('git', ['add', '.'], { cwd });
  execFileSync('git', ['-c', 'user.name=T', '-c', 'user.email=t@example.com', 'commit', '-qm', 'second'], { cwd });
  expect((await worktrees.remove(spec(root))).end).toBe('removed');
  expect(existsSync(cwd)).toBe(false);
  expect(git('log', '--format=%s', 'dragoman/7777abcdef')).toBe('second\nfirst\n');
  expect((await worktrees.remove(spec(root))).end).toBe('none');
});

test('a branch that has nothing of its own goes too', async () => {
  const { root, git } = repository();
  const worktrees = new SessionWorktrees(tempFolder());
  await worktrees.open(spec(root));

  expect((await worktrees.remove(spec(root))).end).toBe('removed');
  expect(git('branch', '--format=%(refname:short)')).toBe('main\n');
});

test('where no worktree can be made, it is said why and what to do', async () => {
  const worktrees = new SessionWorktrees(tempFolder());
  const plain = tempFolder();
  await expect(worktrees.open(spec(plain))).rejects.toThrow(
    `${plain} is not a Git repository; run "git init" there, or start the session without a worktree`,
  );
  execFileSync('git', ['init', '-q'], { cwd: plain });
  await expect(worktrees.open(spec(plain))).rejects.toThrow(
    `the repository ${realpathSync(plain)} has no commits yet, and a worktree needs one; commit something first`,
  );
  await expect(worktrees.open(spec('/no/such/folder'))).rejects.toThrow('the folder /no/such/folder does not exist');
  await expect(worktrees.open({ ...spec(plain), sessionId: '../../x' })).rejects.toThrow('no id of a session');
});

test('making and removing a worktree runs no hook, no monitor and no filter of the repository', async () => {
  const { root, git } = repository();
  const mark = join(root, '..', 'mark');
  const evil = join(root, '..', 'evil.sh');
  writeFileSync(evil, `#!/bin/sh\necho "$0" >> '${mark}'\ncat\n`, { mode: 0o755 });
  writeFileSync(join(root, '.gitattributes'), '*.ts filter=x\n*.md filter=y merge=x\n');
  writeFileSync(join(root, 'a.md'), 'text');
  git('add', '.');
  git('commit', '-qm', 'second');
  for (const hook of ['post-checkout', 'reference-transaction', 'post-index-change', 'pre-commit'])
    symlinkSync(evil, join(root, '.git', 'hooks', hook));
  for (const key of ['core.fsmonitor', 'filter.x.smudge', 'filter.x.clean', 'filter.y.process', 'merge.x.driver'])
    git('-c', 'core.hooksPath=/dev/null', 'config', key, evil);
  git('config', 'filter.y.required', 'true');
  const worktrees = new SessionWorktrees(tempFolder());

  const { cwd } = await worktrees.open(spec(root));
  expect(readFileSync(join(cwd, 'src', 'a.ts'), 'utf8')).toBe('one');
  expect((await worktrees.remove(spec(root))).end).toBe('removed');

  expect(existsSync(mark)).toBe(false);
});

test.each([
  ['its branch', 'onbranch:dragoman/**'],
  ['its folder', 'gitdir:**/worktrees/**'],
])('settings that hold only for a worktree because of %s run nothing either', async (_, condition) => {
  const { root, git } = repository();
  const mark = join(root, '..', 'mark');
  const evil = join(root, '..', 'evil.sh');
  writeFileSync(evil, `#!/bin/sh\necho "$0" >> '${mark}'\ncat\n`, { mode: 0o755 });
  writeFileSync(join(root, '.gitattributes'), '*.ts filter=x\n');
  writeFileSync(join(root, '.git', 'more'), `[filter "x"]\n\tsmudge = ${evil}\n\tclean = ${evil}\n\trequired = true\n`);
  git('add', '.');
  git('commit', '-qm', 'second');
  git('config', `includeIf.${condition}.path`, 'more');
  const worktrees = new SessionWorktrees(tempFolder());

  const { cwd } = await worktrees.open(spec(root));
  expect(readFileSync(join(cwd, 'src', 'a.ts'), 'utf8')).toBe('one');
  utimesSync(join(cwd, 'src', 'a.ts'), 1, 1);
  expect((await worktrees.remove(spec(root))).end).toBe('removed');

  expect(existsSync(mark)).toBe(false);
});

test('a repository whose files are those of another gets no worktree', async () => {
  const { root, git } = repository();
  const inner = join(root, 'src', 'inner');
  mkdirSync(inner);
  execFileSync('git', ['init', '-q'], { cwd: inner });
  execFileSync('git', ['config', 'core.worktree', '../../..'], { cwd: inner });

  await expect(new SessionWorktrees(tempFolder()).open(spec(inner))).rejects.toThrow(
    `no worktree can be created for ${inner}, because the repository has its files elsewhere`,
  );
  expect(git('branch', '--format=%(refname:short)')).toBe('main\n');
});

test('a repository that would have git write or delete elsewhere gets no worktree', async () => {
  for (const name of ['worktrees', 'worktrees/evil', 'logs', 'refs/heads/dragoman']) {
    const { root } = repository();
    const elsewhere = tempFolder();
    writeFileSync(join(elsewhere, 'precious'), '');
    rmSync(join(root, '.git', name), { recursive: true, force: true });
    mkdirSync(join(root, '.git', name, '..'), { recursive: true });
    symlinkSync(elsewhere, join(root, '.git', name));

    await expect(new SessionWorktrees(tempFolder()).open(spec(root))).rejects.toThrow(
      `no worktree can be created for ${root}, because the repository has links in its .git`,
    );
    expect(readdirSync(elsewhere)).toEqual(['precious']);
  }
});

test('a worktree that somebody deleted is made again, and what git remembers of others stays', async () => {
  const { root, git } = repository();
  const other = join(root, '..', 'other');
  git('worktree', 'add', '-q', other);
  rmSync(other, { recursive: true });
  const worktrees = new SessionWorktrees(tempFolder());
  const { cwd } = await worktrees.open(spec(root));
  rmSync(cwd, { recursive: true });

  expect((await worktrees.open(spec(root))).cwd).toBe(cwd);

  expect(readdirSync(join(root, '.git', 'worktrees')).toSorted()).toEqual(['app', 'other']);
});

test('a folder that is a link in the last commit is not worked in', async () => {
  const { root, git } = repository();
  const elsewhere = realpathSync(tempFolder());
  mkdirSync(join(elsewhere, 'there'));
  symlinkSync(elsewhere, join(root, 'packages'));
  git('add', '.');
  git('commit', '-qm', 'second');
  rmSync(join(root, 'packages'));
  for (const name of ['there', 'new']) {
    mkdirSync(join(root, 'packages', name), { recursive: true });
    const own = { ...spec(join(root, 'packages', name)), sessionId: `${SESSION}${name}` };
    await expect(new SessionWorktrees(tempFolder()).open(own)).rejects.toThrow(
      `packages/${name} is no folder in the last commit but a link or a file, so it has no worktree`,
    );
  }
  expect(readdirSync(elsewhere)).toEqual(['there']);
});

test("the user's own filters fill the files of a worktree", async () => {
  const { root, git } = repository();
  writeFileSync(join(root, '.gitattributes'), '*.big filter=store\n');
  writeFileSync(join(root, 'a.big'), 'POINTER\n');
  git('add', '.');
  git('commit', '-qm', 'second');
  const config = join(root, '..', 'user.config');
  writeFileSync(config, '[filter "store"]\n\tsmudge = sed s/POINTER/CONTENT/\n\tclean = sed s/CONTENT/POINTER/\n');
  vi.stubEnv('GIT_CONFIG_GLOBAL', config);
  onTestFinished(() => void vi.unstubAllEnvs());

  const { cwd } = await new SessionWorktrees(tempFolder()).open(spec(root));

  expect(readFileSync(join(cwd, 'a.big'), 'utf8')).toBe('CONTENT\n');
});

test('only what was made for a session is removed, and only where it was made', async () => {
  const { root, git } = repository();
  const folder = realpathSync(tempFolder());
  const worktrees = new SessionWorktrees(join(folder, 'worktrees'));
  const own = join(folder, 'other', 'app');
  git('worktree', 'add', '-q', '-b', 'own', own);
  writeFileSync(join(folder, 'other', 'neighbour'), 'kept');
  mkdirSync(join(folder, 'worktrees'));

  for (const sessionId of [
    '../other',
    '../../other',
    '..',
    '.',
    '',
    'a/b',
    'ses_1/../../other',
    '/other',
    'ses_1\0',
    'ses_1\n',
  ])
    await expect(worktrees.remove({ ...spec(root), sessionId })).rejects.toThrow('no id of a session');

  const place = join(folder, 'worktrees', SESSION);
  const refused = `${join(place, 'app')} is not a worktree that was made for this session; it is left as it is`;

  symlinkSync(join(folder, 'other'), place);
  await expect(worktrees.remove(spec(root))).rejects.toThrow(refused);
  await expect(worktrees.open(spec(root))).rejects.toThrow(refused);
  rmSync(place);

  mkdirSync(place);
  symlinkSync(own, join(place, 'app'));
  await expect(worktrees.remove(spec(root))).rejects.toThrow(refused);
  rmSync(join(place, 'app'));

  git('worktree', 'add', '-q', '-b', 'mine', join(place, 'app'));
  await expect(worktrees.remove(spec(root))).rejects.toThrow(refused);
  git('worktree', 'remove', join(place, 'app'));

  mkdirSync(join(place, 'app'), { recursive: true });
  writeFileSync(join(place, 'app', 'file'), 'kept');
  await expect(worktrees.remove(spec(root))).rejects.toThrow(refused);

  expect(existsSync(join(place, 'app', 'file'))).toBe(true);
  expect(readdirSync(join(folder, 'other'))).toEqual(['app', 'neighbour']);
  expect(git('branch', '--format=%(refname:short)')).toBe('main\nmine\nown\n');
});

test('a worktree whose agent went to another branch is still that of its session, and goes without its neighbours', async () => {
  const { root, git } = repository();
  const folder = tempFolder();
  const worktrees = new SessionWorktrees(folder);
  const { cwd } = await worktrees.open(spec(root));
  execFileSync('git', ['checkout', '-qb', 'feature'], { cwd });
  writeFileSync(join(folder, SESSION, 'notes'), 'kept');

  expect((await worktrees.remove(spec(root))).end).toBe('removed');

  expect(readdirSync(join(folder, SESSION))).toEqual(['notes']);
  expect(git('worktree', 'list').trim().split('\n')).toHaveLength(1);
});
