import {
  appendFileSync,
  chmodSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { bytesOf, filesOf, git, initRepository, openProject, plant, project } from './project.fixture.ts';

const ODD_NAMES = {
  'new\nline.txt': 'n\n',
  'quo"te\'s.txt': 'q\n',
  ' spaces \t.txt': 's\n',
  'Ünïcödé/日本語.txt': 'u\n',
  '*.txt': 'star\n',
  ':(glob)x': 'magic\n',
  '-dash': 'd\n',
  'back\\slash': 'b\n',
};

test.each([
  ['in a git work tree', true],
  ['outside git', false],
])('every kind of file comes back as it was, %s [FR-18]', async (_, isRepository) => {
  const before = {
    'kept.txt': 'kept\n',
    'edited.txt': 'one\ntwo\n',
    'deleted/deep.txt': 'gone\n',
    'renamed-from.txt': 'same\n',
    'binary.bin': Buffer.from([0, 255, 1, 254]),
    'windows.txt': 'one\r\ntwo\r\n',
    'mixed.txt': 'one\r\ntwo\n',
    'run.sh': { program: '#!/bin/sh\n' },
    'plain.sh': '#!/bin/sh\n',
    link: { link: 'kept.txt' },
    'dangling-link': { link: '/nowhere/at all' },
    'becomes-folder': 'file\n',
    'becomes-file/inner.txt': 'inner\n',
    'becomes-link/inner.txt': 'inner\n',
    'link-becomes-folder': { link: 'deleted' },
    'empty.txt': '',
    ...ODD_NAMES,
    // The person's git would not take it.
    ...(isRepository ? {} : { 'git~1': 'short\n' }),
  };
  const { root, snapshots, track } = await project(before, { isRepository });
  const atFirst = filesOf(root);
  const first = await track();

  plant(root, {
    'edited.txt': 'one\n2\nthree\n',
    'binary.bin': Buffer.from([0, 1]),
    'windows.txt': 'one\ntwo\n',
    'mixed.txt': 'one\ntwo\n',
    'added/new.txt': 'new\n',
    'plain.sh': { program: '#!/bin/sh\n' },
    link: { link: 'edited.txt' },
    'dangling-link': 'a file now\n',
    'becomes-folder/a/b.txt': 'b\n',
    'becomes-file': 'file\n',
    'becomes-link': { link: 'added' },
    'link-becomes-folder/x.txt': 'x\n',
    ...Object.fromEntries(Object.keys(ODD_NAMES).map((name) => [name, 'changed\n'])),
  });
  chmodSync(join(root, 'run.sh'), 0o644);
  rmSync(join(root, 'deleted'), { recursive: true });
  renameSync(join(root, 'renamed-from.txt'), join(root, 'renamed-to.txt'));
  mkdirSync(join(root, 'empty folder'));
  const inTheEnd = filesOf(root);
  const second = await track();
  const changes = await snapshots.changes(first, second);

  expect(changes).toEqual(
    expect.arrayContaining([
      { path: 'edited.txt', kind: 'modified', additions: 2, deletions: 1 },
      { path: 'deleted/deep.txt', kind: 'deleted', additions: 0, deletions: 1 },
      { path: 'renamed-from.txt', kind: 'deleted', additions: 0, deletions: 1 },
      { path: 'renamed-to.txt', kind: 'added', additions: 1, deletions: 0 },
      { path: 'binary.bin', kind: 'modified' },
      { path: 'windows.txt', kind: 'modified', additions: 2, deletions: 2 },
      { path: 'run.sh', kind: 'modified', additions: 0, deletions: 0 },
      { path: 'becomes-folder', kind: 'deleted', additions: 0, deletions: 1 },
      { path: 'becomes-folder/a/b.txt', kind: 'added', additions: 1, deletions: 0 },
      { path: 'becomes-link', kind: 'added', additions: 1, deletions: 0 },
      { path: 'new\nline.txt', kind: 'modified', additions: 1, deletions: 1 },
      { path: 'Ünïcödé/日本語.txt', kind: 'modified', additions: 1, deletions: 1 },
    ]),
  );
  expect(changes.map(({ path }) => path)).not.toContain('kept.txt');
  expect(changes.map(({ path }) => path)).not.toContain('empty.txt');

  const paths = changes.map(({ path }) => path);
  const back = await snapshots.restore(first, paths);
  expect(back.skipped).toEqual([]);
  expect(back.restored.toSorted()).toEqual(paths.toSorted());
  expect(back.undo).toBe(second);
  expect(filesOf(root)).toEqual(atFirst);
  expect(await track()).toBe(first);

  const forth = await snapshots.restore(back.undo, paths);
  expect(forth.skipped).toEqual([]);
  expect(filesOf(root)).toEqual(inTheEnd);
  expect(await track()).toBe(second);
});

test("the person's repository is byte for byte what it was: index, stash, reflog, hooks and settings", async () => {
  const { root, snapshots, track } = await project(
    { 'a.txt': 'a\n', 'b.txt': 'b\n', '.gitignore': 'ignored\n' },
    { isRepository: true },
  );
  plant(root, { 'a.txt': 'stashed\n' });
  git(root, 'stash');
  plant(root, { 'a.txt': 'staged\n', 'new.txt': 'staged too\n', ignored: 'i\n' });
  git(root, 'add', '--all');
  plant(root, {
    'a.txt': 'and edited\n',
    'untracked.txt': 'u\n',
    '.git/hooks/post-index-change': { program: '#!/bin/sh\ntouch "$GIT_DIR/hook-ran"\n' },
  });
  const [repository, status] = [bytesOf(join(root, '.git')), git(root, 'status', '--porcelain=v2')];

  const before = await track();
  plant(root, { 'a.txt': 'by the agent\n', 'c.txt': 'c\n' });
  rmSync(join(root, 'b.txt'));
  const after = await track();
  await snapshots.restore(
    before,
    (await snapshots.changes(before, after)).map(({ path }) => path),
  );
  await snapshots.collectGarbage({ keepDays: 0 });

  expect(bytesOf(join(root, '.git'))).toEqual(repository);
  expect(git(root, 'status', '--porcelain=v2')).toBe(status);
  expect(readFileSync(join(root, 'a.txt'), 'utf8')).toBe('and edited\n');
});

test('a state of a clean work tree is the tree of its commit, and needs no objects of its own', async () => {
  const { folder, root, track } = await project({ 'a.txt': 'a\n', 'src/b.txt': 'b\n' }, { isRepository: true });

  expect(await track()).toBe(git(root, 'rev-parse', 'HEAD^{tree}').trim());
  const objects = readdirSync(join(folder, 'snapshots'), { recursive: true, encoding: 'utf8' });
  expect(objects.filter((path) => /objects\/[0-9a-f]{2}\//.test(path))).toEqual([]);
});

test('files that git converts are kept as they are on the disk, also right after a commit', async () => {
  const { root, snapshots, track } = await project({
    '.gitattributes': '*.txt text=auto\n*.rot filter=rot\n*.id ident\n*.utf16 working-tree-encoding=UTF-16LE\n',
    'crlf.txt': 'one\r\ntwo\r\n',
    'secret.rot': 'hello\n',
    'keyword.id': '$Id: something else $\n',
    'wide.utf16': Buffer.from('wide\r\n', 'utf16le'),
    'plain.md': 'plain\n',
  });
  git(root, 'init', '--quiet');
  git(root, 'config', 'filter.rot.clean', 'tr a-z n-za-m');
  git(root, 'config', 'filter.rot.smudge', 'tr a-z n-za-m');
  git(root, 'config', 'core.autocrlf', 'input');
  git(root, 'add', '--all');
  git(root, 'commit', '--quiet', '--no-gpg-sign', '-m', 'first');
  // So that git believes its index without another look.
  for (const path of ['crlf.txt', 'secret.rot', 'keyword.id', 'wide.utf16'])
    utimesSync(join(root, path), 1_700_000_000, 1_700_000_000);
  git(root, 'update-index', '--refresh');
  expect(git(root, 'show', ':secret.rot')).toBe('uryyb\n');
  const files = filesOf(root);
  const before = await track();

  plant(root, { 'crlf.txt': 'x', 'secret.rot': 'x', 'keyword.id': 'x', 'wide.utf16': 'x' });
  await snapshots.restore(before, ['crlf.txt', 'secret.rot', 'keyword.id', 'wide.utf16']);

  expect(filesOf(root)).toEqual(files);
});

test('an edit in the same second as the index of the person is seen', async () => {
  const { root, snapshots, track } = await project({ 'a.txt': 'one\n' }, { isRepository: true });
  plant(root, { 'a.txt': 'two\n' });
  const moment = statSync(join(root, '.git/index')).mtime;
  utimesSync(join(root, 'a.txt'), moment, moment);

  const before = await track();
  plant(root, { 'a.txt': 'x' });
  await snapshots.restore(before, ['a.txt']);

  expect(filesOf(root)).toEqual({ 'a.txt': 'two\n' });
});

test.each([
  [
    'unchanged and sparse entries',
    (root: string) =>
      git(root, 'update-index', '--assume-unchanged', 'a.txt') + git(root, 'update-index', '--skip-worktree', 'b.txt'),
  ],
  ['an index in two halves', (root: string) => git(root, 'update-index', '--split-index')],
  ['an index of version 4', (root: string) => git(root, 'update-index', '--index-version', '4')],
  ['a file that is announced only', (root: string) => git(root, 'add', '--intent-to-add', 'late.txt')],
  ['an index that is damaged', (root: string) => writeFileSync(join(root, '.git/index'), 'DIRC damaged')],
])("%s in the person's index do not hide a change", async (_, arrange) => {
  const { root, snapshots, track } = await project(
    { 'a.txt': 'a\n', 'b.txt': 'b\n', '.gitignore': 'late.*\n' },
    { isRepository: true },
  );
  plant(root, { '.gitignore': '', 'late.txt': 'late\n' });
  arrange(root);
  const before = await track();
  plant(root, { 'a.txt': 'A\n', 'b.txt': 'B\n', 'late.txt': 'LATE\n' });

  expect(await snapshots.changes(before)).toEqual([
    { path: 'a.txt', kind: 'modified', additions: 1, deletions: 1 },
    { path: 'b.txt', kind: 'modified', additions: 1, deletions: 1 },
    { path: 'late.txt', kind: 'modified', additions: 1, deletions: 1 },
  ]);
});

test('a conflict that is not settled is a state like any other', async () => {
  const { root, snapshots, track } = await project({ 'a.txt': 'base\n' }, { isRepository: true });
  git(root, 'checkout', '--quiet', '-b', 'other');
  plant(root, { 'a.txt': 'theirs\n' });
  git(root, 'commit', '--quiet', '--no-gpg-sign', '-am', 'theirs');
  git(root, 'checkout', '--quiet', 'main');
  plant(root, { 'a.txt': 'ours\n' });
  git(root, 'commit', '--quiet', '--no-gpg-sign', '-am', 'ours');
  expect(() => git(root, 'merge', 'other')).toThrow('Command failed');
  const conflict = readFileSync(join(root, 'a.txt'), 'utf8');
  expect(conflict).toContain('<<<<<<<');

  const before = await track();
  plant(root, { 'a.txt': 'settled\n' });
  await snapshots.restore(before, ['a.txt']);

  expect(readFileSync(join(root, 'a.txt'), 'utf8')).toBe(conflict);
});

test('ignored files are no part of a state, in git and outside, but what is tracked is', async () => {
  const rules = { '.gitignore': '*.log\n/build/\n', 'src/.gitignore': '!keep.log\n' };
  const outside = await project({ ...rules, 'a.log': 'x', 'build/out': 'x', 'src/keep.log': 'x', 'src/b.log': 'x' });
  const before = await outside.track();
  plant(outside.root, { 'a.log': 'y', 'build/out': 'y', 'src/keep.log': 'y', 'src/b.log': 'y' });
  expect((await outside.snapshots.changes(before)).map(({ path }) => path)).toEqual(['src/keep.log']);

  const inside = await project({ 'forced.log': 'x', 'a.log': 'x', ...rules });
  git(inside.root, 'init', '--quiet');
  git(inside.root, 'add', '--force', 'forced.log');
  writeFileSync(join(inside.root, '.git/info/exclude'), 'mine\n');
  plant(inside.root, { mine: 'x' });
  const start = await inside.track();
  plant(inside.root, { 'forced.log': 'y', 'a.log': 'y', mine: 'y' });
  expect((await inside.snapshots.changes(start)).map(({ path }) => path)).toEqual(['forced.log']);
});

test('a project inside a work tree has states of its own folder, with the ignore rules of the folders above', async () => {
  const { folder, root: top } = await project(
    {
      '.gitignore': 'node_modules\n',
      'outside.txt': 'o\n',
      'packages/.gitignore': 'dist\n',
      'packages/one/a.txt': 'a\n',
    },
    { isRepository: true },
  );
  const root = join(top, 'packages/one');
  plant(root, { 'node_modules/x/index.js': 'x', 'dist/a.js': 'x', 'b.txt': 'b\n' });
  const { snapshots, track } = await openProject({ folder, root });
  const before = await track();
  plant(root, { 'a.txt': 'A\n', 'node_modules/x/index.js': 'y', 'dist/a.js': 'y' });
  rmSync(join(root, 'b.txt'));
  plant(top, { 'outside.txt': 'O\n' });

  const changes = await snapshots.changes(before);
  expect(changes.map(({ path, kind }) => `${kind} ${path}`)).toEqual(['modified a.txt', 'deleted b.txt']);
  expect(await snapshots.diff(before, await track(), 'a.txt')).toContain('-a\n+A\n');
  await snapshots.restore(before, ['a.txt', 'b.txt', '../../outside.txt']);
  expect(filesOf(top)).toMatchObject({
    'outside.txt': 'O\n',
    'packages/one/a.txt': 'a\n',
    'packages/one/b.txt': 'b\n',
  });

  rmSync(root, { recursive: true });
  mkdirSync(root);
  expect(await snapshots.changes(before)).toHaveLength(2);
});

test('a project that the repository around it ignores stands for itself', async () => {
  const { folder, root: home } = await project({ '.gitignore': '*\n' });
  git(home, 'init', '--quiet');
  plant(home, { 'work/a.txt': 'a\n' });
  const { snapshots, track } = await openProject({ folder, root: join(home, 'work') });
  const before = await track();
  plant(home, { 'work/a.txt': 'A\n' });

  expect(await snapshots.changes(before)).toHaveLength(1);
});

test('in a linked work tree and with SHA-256 names there are states too', async () => {
  const { folder, root } = await project({ 'a.txt': 'a\n' }, { isRepository: true });
  git(root, 'worktree', 'add', '--quiet', '../linked');
  const linked = await openProject({ folder, root: join(folder, 'linked') });
  expect(await linked.track()).toBe(git(root, 'rev-parse', 'HEAD^{tree}').trim());

  const other = await project({ 'a.txt': 'a\n' });
  git(other.root, 'init', '--quiet', '--object-format=sha256');
  git(other.root, 'add', '--all');
  expect(await other.track()).toMatch(/^[0-9a-f]{40}$/);
});

test('repositories inside the project are left alone', async () => {
  const { root, snapshots, track } = await project({ 'a.txt': 'a\n', 'nested/n.txt': 'n\n' });
  initRepository(join(root, 'nested'));
  git(root, 'init', '--quiet');
  git(root, '-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', './nested', 'module');
  git(root, 'add', 'a.txt');
  const before = await track();
  plant(root, { 'nested/n.txt': 'N\n', 'module/n.txt': 'N\n', 'a.txt': 'A\n' });
  git(join(root, 'module'), 'commit', '--quiet', '--no-gpg-sign', '-am', 'moved on');

  expect((await snapshots.changes(before)).map(({ path }) => path)).toEqual(['a.txt']);
  const { skipped } = await snapshots.restore(before, ['nested/n.txt', 'nested/.git/HEAD', 'module']);
  expect(skipped.map(({ path }) => path).toSorted()).toEqual(['nested/.git/HEAD', 'nested/n.txt']);
  expect(existsSync(join(root, 'nested/.git/HEAD'))).toBe(true);
  expect(filesOf(join(root, 'nested'))).toEqual({ 'n.txt': 'N\n' });
});

test('files above the limit are left out, and are never deleted or overwritten for it', async () => {
  const { root, snapshots, track } = await project(
    { 'large.bin': 'x'.repeat(200), 'grows.txt': 'small\n', 'shrinks.txt': 'y'.repeat(200) },
    { maxFileBytes: 100, isRepository: true },
  );
  const before = await track();
  plant(root, { 'large.bin': 'z'.repeat(300), 'grows.txt': 'g'.repeat(200), 'shrinks.txt': 'small\n' });
  const after = await track();

  const changes = await snapshots.changes(before, after);
  expect(changes).toEqual([
    { path: 'grows.txt', kind: 'modified' },
    { path: 'shrinks.txt', kind: 'modified' },
  ]);
  const { skipped, restored } = await snapshots.restore(before, ['grows.txt', 'shrinks.txt', 'large.bin']);
  expect(restored).toEqual([]);
  expect(skipped.map(({ path }) => path).toSorted()).toEqual(['grows.txt', 'large.bin', 'shrinks.txt']);
  expect(filesOf(root)).toEqual({
    'large.bin': 'z'.repeat(300),
    'grows.txt': 'g'.repeat(200),
    'shrinks.txt': 'small\n',
  });
});

test('a file that a step took out of the ignore rules is not deleted when the step is taken back', async () => {
  const { root, snapshots, track } = await project({
    '.gitignore': '.env\n*.key\n',
    '.env': 'SECRET=1\n',
    'sub/a.key': 'k\n',
  });
  const before = await track();
  plant(root, { '.gitignore': '', 'sub/new.txt': 'new\n' });
  const changes = await snapshots.changes(before);
  expect(changes.map(({ path }) => path)).toEqual(['.env', '.gitignore', 'sub/a.key', 'sub/new.txt']);

  const { restored, skipped } = await snapshots.restore(
    before,
    changes.map(({ path }) => path),
  );

  expect(restored.toSorted()).toEqual(['.gitignore', 'sub/new.txt']);
  expect(skipped).toEqual([
    { path: '.env', reason: 'it was ignored in that state, so it is not known how it was' },
    { path: 'sub/a.key', reason: 'it was ignored in that state, so it is not known how it was' },
  ]);
  expect(filesOf(root)).toEqual({ '.gitignore': '.env\n*.key\n', '.env': 'SECRET=1\n', 'sub/a.key': 'k\n' });
});

test('rules of the folders above the project count for what was ignored', async () => {
  const { folder, root: top } = await project(
    { '.gitignore': '*.pem\n', 'one/.gitignore': '!*.pem\n*.env\n' },
    { isRepository: true },
  );
  const root = join(top, 'one');
  const { snapshots, track } = await openProject({ folder, root });
  plant(root, { 'a.pem': 'p\n', 'b.env': 'e\n' });
  const before = await track();
  plant(root, { '.gitignore': '!*.pem\n', 'c.pem': 'new\n' });

  const { restored, skipped } = await snapshots.restore(before, ['.gitignore', 'b.env', 'c.pem']);

  expect(restored.toSorted()).toEqual(['.gitignore', 'c.pem']);
  expect(skipped.map(({ path }) => path)).toEqual(['b.env']);
  expect(filesOf(root)).toEqual({ '.gitignore': '!*.pem\n*.env\n', 'a.pem': 'p\n', 'b.env': 'e\n' });
});

test('a content that is no longer there is told, and the other files go back', async () => {
  const { folder, root, snapshots, track } = await project({ 'a.txt': 'a\n', 'b.txt': 'b\n' });
  const before = await track();
  plant(root, { 'a.txt': 'A\n', 'b.txt': 'B\n' });
  await track();
  const objects = readdirSync(join(folder, 'snapshots'), { recursive: true, encoding: 'utf8' });
  // The name of "a" and a line feed.
  rmSync(
    join(
      folder,
      'snapshots',
      objects.find((path) => path.endsWith('/78/981922613b2afb6025042ff6bd878ac1994e85'))!,
    ),
  );

  expect(await snapshots.restore(before, ['a.txt', 'b.txt'])).toMatchObject({
    restored: ['b.txt'],
    skipped: [{ path: 'a.txt', reason: `its content in the state ${before} is no longer kept` }],
  });
  expect(filesOf(root)).toEqual({ 'a.txt': 'A\n', 'b.txt': 'b\n' });
});

test('nothing is written outside the project or through a link', async () => {
  const { folder, root, snapshots, track } = await project({ 'dir/a.txt': 'a\n', 'b.txt': 'b\n' });
  const before = await track();
  plant(folder, { 'elsewhere/a.txt': 'theirs\n', 'victim.txt': 'theirs\n' });
  rmSync(join(root, 'dir'), { recursive: true });
  symlinkSync('../elsewhere', join(root, 'dir'));

  const bad = [
    'dir/a.txt',
    '../victim.txt',
    join(folder, 'victim.txt'),
    '',
    '.',
    'x/../../victim.txt',
    '.git/config',
    'a\0b',
  ];
  const { restored, skipped } = await snapshots.restore(before, bad);

  expect(restored).toEqual([]);
  expect(skipped).toHaveLength(bad.length);
  expect(skipped.at(-1)).toEqual({ path: 'dir/a.txt', reason: 'dir is a symbolic link, which is not followed' });
  expect(readFileSync(join(folder, 'elsewhere/a.txt'), 'utf8')).toBe('theirs\n');
  expect(readFileSync(join(folder, 'victim.txt'), 'utf8')).toBe('theirs\n');
});

test('only the files that are named go back, and one that is the same is not written', async () => {
  const { root, snapshots, track } = await project({
    'a.txt': 'a\n',
    'b.txt': 'b\n',
    'same.txt': 's\n',
    'way/x.txt': 'x\n',
  });
  const before = await track();
  plant(root, { 'a.txt': 'A\n', 'b.txt': 'B\n', way: 'a file\n', 'full/extra.txt': 'e\n' });
  chmodSync(join(root, 'a.txt'), 0o600);
  utimesSync(join(root, 'same.txt'), 1_000_000, 1_000_000);

  const { skipped } = await snapshots.restore(before, ['a.txt', 'same.txt', 'way/x.txt', 'never-there.txt']);

  expect(filesOf(root)).toEqual({
    'a.txt': 'a\n',
    'b.txt': 'B\n',
    'same.txt': 's\n',
    way: 'a file\n',
    'full/extra.txt': 'e\n',
  });
  expect(statSync(join(root, 'a.txt')).mode & 0o777).toBe(0o600);
  expect(statSync(join(root, 'same.txt')).mtimeMs).toBe(1_000_000_000);
  expect(skipped).toEqual([{ path: 'way/x.txt', reason: 'way is a file, not a folder' }]);
});

test('a folder with files of its own is not cleared for a file', async () => {
  const { root, snapshots, track } = await project({ place: 'file\n', '.gitignore': '*.log\n' });
  const before = await track();
  plant(root, { 'place/mine.log': 'm\n', 'place/new.txt': 'n\n' });

  const { skipped } = await snapshots.restore(before, ['place', 'place/new.txt']);

  expect(skipped).toEqual([{ path: 'place', reason: 'a folder with other files is in its place' }]);
  expect(filesOf(root)).toEqual({ '.gitignore': '*.log\n', 'place/mine.log': 'm\n' });
  rmSync(join(root, 'place/mine.log'));
  mkdirSync(join(root, 'place/empty/deeper'), { recursive: true });
  expect((await snapshots.restore(before, ['place'])).restored).toEqual(['place']);
});

test('a diff is unified text, of all files or of one, and is cut when it is long', async () => {
  const { root, snapshots, track } = await project({ 'a.txt': 'one\ntwo\n', '*.txt': 'star\n' });
  const before = await track();
  plant(root, { 'a.txt': 'one\n2\n', '*.txt': 'STAR\n' });
  const after = await track();

  expect(await snapshots.diff(before, after, '*.txt')).toBe(
    'diff --git a/*.txt b/*.txt\nindex babcbcd..d2564cf 100644\n--- a/*.txt\n+++ b/*.txt\n@@ -1 +1 @@\n-star\n+STAR\n',
  );
  expect(await snapshots.diff(before, after)).toContain('@@ -1,2 +1,2 @@\n one\n-two\n+2\n');
  plant(root, { 'a.txt': 'a long line of text\n'.repeat(20_000) });
  const long = await snapshots.diff(before, await track());
  expect(long.length).toBeLessThan(201_000);
  expect(long).toMatch(/\n\+a long line of text\n\\ The rest is left out: the diff is longer than 200000 bytes\.\n$/);
});

test('a hash that is none, or is not kept, is told', async () => {
  const { snapshots, track } = await project({ 'a.txt': 'a\n' });
  const now = await track();
  const unknown = 'b'.repeat(40);

  await expect(snapshots.changes('--output=/tmp/x', now)).rejects.toMatchObject({ code: 'bad-request' });
  await expect(snapshots.changes(unknown, now)).rejects.toMatchObject({
    code: 'not-found',
    message: `The state ${unknown} of the files is no longer kept.`,
  });
  await expect(snapshots.restore(unknown, ['a.txt'])).resolves.toMatchObject({
    restored: [],
    skipped: [{ path: 'a.txt', reason: `The state ${unknown} of the files is no longer kept.` }],
  });
});

test('without git there are no snapshots, and it is said why', async () => {
  const { folder, snapshots } = await project({ 'a.txt': 'a\n' }, { gitPath: 'no-such-git' });

  expect(snapshots.unavailable).toBe('The git program was not found; without it files cannot be put back.');
  expect(await snapshots.track()).toBeUndefined();
  expect(await snapshots.collectGarbage()).toBeUndefined();
  await expect(snapshots.restore('a'.repeat(40), ['a.txt'])).rejects.toMatchObject({ code: 'unavailable' });
  expect(existsSync(join(folder, 'snapshots'))).toBe(false);
});

test('of the home folder, what is above it, the disk, and a folder with too many files none are made', async () => {
  const { folder, root } = await project({
    'a.txt': 'a\n',
    'b.txt': 'b\n',
    'c.txt': 'c\n',
    '.gitignore': 'd.txt\n',
    'd.txt': 'd\n',
  });
  const refusalOf = async (at: string, home: string) => {
    const { snapshots } = await openProject({ folder, root: at, options: { home } });
    expect(await snapshots.track()).toBeUndefined();
    return snapshots.refusal;
  };
  expect(await refusalOf(root, root)).toBe(`${root} is the home folder; snapshots are made of project folders only.`);
  expect(await refusalOf(dirname(root), root)).toContain('has the home folder in it');
  expect(await refusalOf('/', '/home/nobody')).toBe('/ is the whole disk; snapshots are made of project folders only.');

  const many = await openProject({ folder, root, options: { maxFiles: 3 } });
  expect(await many.snapshots.track()).toBeUndefined();
  expect(many.snapshots.refusal).toBe(
    `${root} has 4 files that are not ignored; snapshots are made of 3 at most. Name folders that are made by tools in .gitignore.`,
  );
  expect(many.warnings).toHaveLength(1);
  const enough = await openProject({ folder, root, options: { maxFiles: 4 } });
  expect(await enough.snapshots.track()).toBeDefined();
  await expect(openProject({ folder, root: join(root, 'gone') })).rejects.toMatchObject({ code: 'not-found' });
});

test('files that cannot be read or named do not stop a state', async () => {
  const { root, snapshots, track } = await project({ 'a.txt': 'a\n' });
  writeFileSync(Buffer.concat([Buffer.from(`${root}/latin-`), Buffer.from([0xe9])]), 'x');
  const before = await track();
  appendFileSync(join(root, 'a.txt'), 'more\n');

  expect(await snapshots.changes(before)).toEqual([{ path: 'a.txt', kind: 'modified', additions: 1, deletions: 0 }]);
});

test('a data folder inside the project is not part of its states', async () => {
  const { root } = await project({ 'a.txt': 'a\n' });
  const { snapshots, track } = await openProject({ folder: join(root, 'my data [1]'), root });
  const before = await track();
  plant(root, { 'a.txt': 'A\n' });
  await track();

  expect((await snapshots.changes(before)).map(({ path }) => path)).toEqual(['a.txt']);
});
