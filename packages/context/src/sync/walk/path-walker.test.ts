import { mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { tempFolder } from '@dragoman/testkit';
import { expect, onTestFinished, test } from 'vitest';
import { type FolderEntry, PathFilter } from '../filter/path-filter.ts';
import { tempTree } from '../filter/tree.fixture.ts';
import { PathWalker, type PathWalkerOptions, type WalkedPath } from './path-walker.ts';

function walker(root: string, options: PathWalkerOptions & { start?: string } = {}): PathWalker {
  return new PathWalker('test', options.start ?? root, root, new PathFilter(root), options);
}

async function collect(walk: AsyncIterable<WalkedPath>): Promise<WalkedPath[]> {
  const walked: WalkedPath[] = [];
  for await (const path of walk) walked.push(path);
  return walked;
}

const pathsOf = async (walk: AsyncIterable<WalkedPath>) => (await collect(walk)).map(([, path]) => path);
const reasonsOf = async (walk: AsyncIterable<WalkedPath>) =>
  (await collect(walk)).map(([, path, , info]) => `${path}: ${info.format()}`);

test('SYNC-12 SYNC-13 SYNC-14 a start or root that is not absolute, or a start outside the root, is refused', () => {
  const filter = new PathFilter('/r');

  expect(() => new PathWalker('w', 'a', '/r', filter)).toThrow('startUri must contain an absolute pathname');
  expect(() => new PathWalker('w', '/r/a', 'r', filter)).toThrow('rootUri must contain an absolute pathname');
  expect(() => new PathWalker('w', '/other', '/r', filter)).toThrow('startUri must be inside rootUri');
  expect(() => new PathWalker('w', '/r2', '/r', filter)).toThrow('startUri must be inside rootUri');
  expect(new PathWalker('w', '/r', '/r', filter).name).toBe('w');
  expect(new PathWalker('w', '/r/..a', '/r', filter).name).toBe('w');
});

test('SYNC-15 each entry comes with its full path, its path from the root, its type and what the filter says', async () => {
  const root = tempTree({ 'a.ts': '', 'b/c.ts': '' });
  symlinkSync(join(root, 'a.ts'), join(root, 'link'));

  const walked = await collect(walker(root));

  expect(walked.map(([absolute, path, type, info]) => [absolute, path, type, info.format()])).toEqual([
    [join(root, 'a.ts'), 'a.ts', 'File', 'Accepted'],
    [join(root, 'b'), 'b/', 'Directory', 'Accepted'],
    [join(root, 'link'), 'link', 'Other', 'Not a file'],
    [join(root, 'b/c.ts'), 'b/c.ts', 'File', 'Accepted'],
  ]);
});

test('SYNC-15 entries come as the walk goes: a file made during it is met', async () => {
  const root = tempTree({ 'a.ts': '', 'b/': '' });
  const paths: string[] = [];

  for await (const [, path] of walker(root)) {
    paths.push(path);
    if (path === 'a.ts') writeFileSync(join(root, 'b/made.ts'), '');
  }

  expect(paths).toEqual(['a.ts', 'b/', 'b/made.ts']);
});

test('SYNC-15 a walk may start below the root, with the rules above it', async () => {
  const root = tempTree({ '.gitignore': '*.log\n', 'a/.gitignore': 'x\n', 'a/b/c.log': '', 'a/b/x': '', 'a/b/y': '' });

  expect(await reasonsOf(walker(root, { start: join(root, 'a/b') }))).toEqual([
    `a/b/c.log: Ignored by ${root}/.gitignore:1 (*.log)`,
    `a/b/x: Ignored by ${root}/a/.gitignore:1 (x)`,
    'a/b/y: Accepted',
  ]);
});

test('SYNC-16 a tree 1,500 folders deep is walked to its end', async () => {
  const root = tempFolder();
  mkdirSync(join(root, 'd/'.repeat(1_500)), { recursive: true });
  writeFileSync(join(root, 'd/'.repeat(1_500), 'end'), '');

  const paths = await pathsOf(walker(root));

  expect(paths.length).toBe(1_501);
  expect(paths.at(-1)).toBe(`${'d/'.repeat(1_500)}end`);
});

test('SYNC-17 all entries of a folder come first, then those of the sub-folder found last', async () => {
  const folders: Record<string, FolderEntry[]> = {
    '/r': [file('package.json'), folder('tests'), folder('src')],
    '/r/src': [file('index.js'), folder('utils')],
    '/r/src/utils': [file('helper.js')],
    '/r/tests': [file('test.js')],
  };

  expect(await pathsOf(walker('/r', { listFolder: (path) => folders[path]! }))).toEqual([
    'package.json',
    'tests/',
    'src/',
    'src/index.js',
    'src/utils/',
    'src/utils/helper.js',
    'tests/test.js',
  ]);
});

test('SYNC-18 a listing with . and .. does not lead anywhere', async () => {
  const listFolder = () => [folder('.'), folder('..'), file('a')];

  expect(await pathsOf(walker('/r', { listFolder }))).toEqual(['a']);
});

test('SYNC-19 SYNC-20 what is left out comes with its reason and is not entered; rules hold from their folder down', async () => {
  const root = tempTree({
    'a/.gitignore': 'out/\n',
    'a/in/out/x': '',
    'a/out/x': '',
    'b.pem': '',
    'out/x': '',
    'node_modules/x': '',
  });

  expect(await reasonsOf(walker(root))).toEqual([
    'a/: Accepted',
    'b.pem: Ignored by default Augment rules (*.pem)',
    'node_modules/: Ignored by Dragoman defaults (node_modules/)',
    'out/: Accepted',
    'out/x: Accepted',
    'a/.gitignore: Accepted',
    'a/in/: Accepted',
    `a/out/: Ignored by ${root}/a/.gitignore:1 (out/)`,
    `a/in/out/: Ignored by ${root}/a/.gitignore:1 (out/)`,
  ]);
});

test('SYNC-21 after 200 ms others get a turn, between folders and between the entries of one', async () => {
  /** How many turns others get in a walk where each entry, and each folder, takes that long. */
  const turnsOf = async (listing: Record<string, FolderEntry[]>, entryMs: number, folderMs: number) => {
    let time = 0;
    let turns = 0;
    const count = () => {
      turns++;
      next = setImmediate(count);
    };
    let next = setImmediate(count);
    const listFolder = (path: string) => {
      time += folderMs;
      return listing[path] ?? [];
    };
    for await (const _ of walker('/r', { now: () => time, listFolder })) time += entryMs;
    clearImmediate(next);
    return turns;
  };
  const files = { '/r': Array.from({ length: 20 }, (_, index) => file(`f${index}`)) };
  const emptyFolders = { '/r': Array.from({ length: 20 }, (_, index) => folder(`d${index}`)) };

  expect(await turnsOf(files, 0, 0)).toBe(0);
  expect(await turnsOf(files, 100, 0)).toBeGreaterThanOrEqual(9);
  expect(await turnsOf(files, 200, 0)).toBeGreaterThanOrEqual(19);
  expect(await turnsOf(emptyFolders, 0, 200)).toBeGreaterThanOrEqual(20);
});

test('SYNC-22 SYNC-23 what came is counted and where the time went is measured, under Path metrics', async () => {
  const root = tempTree({ 'a.ts': '', 'b.ts': '', 'c/d.pem': '' });
  symlinkSync('a.ts', join(root, 'link'));
  const walk = walker(root);

  await collect(walk);

  expect(walk.metrics.name).toBe('Path metrics');
  expect(walk.metrics.counters).toEqual({
    'directories emitted': 1,
    'files emitted': 3,
    'other paths emitted': 1,
    'total paths emitted': 5,
  });
  const { readDir, filter, yield: yielded, total } = walk.metrics.timings;
  expect(Object.keys(walk.metrics.timings)).toEqual(['readDir', 'filter', 'yield', 'total']);
  expect(Math.min(readDir, filter, yielded)).toBeGreaterThan(0);
  expect(total).toBeGreaterThanOrEqual(readDir + filter + yielded);
});

test('links are not followed, whether they lead in circles or out of the root', async () => {
  const outside = tempTree({ 'secret.ts': '' });
  const root = tempTree({ 'a/b.ts': '' });
  symlinkSync(root, join(root, 'a/circle'));
  symlinkSync(outside, join(root, 'out'));
  symlinkSync('nowhere', join(root, 'broken'));

  expect(await reasonsOf(walker(root))).toEqual([
    'a/: Accepted',
    'broken: Not a file',
    'out: Not a file',
    'a/b.ts: Accepted',
    'a/circle: Not a file',
  ]);
});

test('a folder that disappears or cannot be read comes once more with the reason, and the walk goes on', async () => {
  const root = tempTree({ 'a.ts': '', 'b/x': '', 'c/': '', 'z/y': '' });
  const paths: string[] = [];

  for await (const [, path, , info] of walker(root)) {
    paths.push(`${path}: ${info.format()}`);
    if (path === 'a.ts') rmSync(join(root, 'c'), { recursive: true });
    if (path === 'b/') mkdirSync(join(root, 'c'));
    if (path === 'z/') rmSync(join(root, 'c'), { recursive: true });
  }

  expect(paths).toEqual([
    'a.ts: Accepted',
    'b/: Accepted',
    'c/: Accepted',
    'z/: Accepted',
    'z/y: Accepted',
    'c/: Folder not readable (ENOENT)',
    'b/x: Accepted',
  ]);
});

test('a path longer than the system allows is told, and the walk goes on', async () => {
  const root = tempFolder();
  const half = `${`${'l'.repeat(200)}/`.repeat(15)}`;
  mkdirSync(join(root, 'a', half), { recursive: true });
  mkdirSync(join(root, 'b', half), { recursive: true });
  // Each half can be named; together they cannot.
  renameSync(join(root, 'b'), join(root, 'a', half, 'b'));
  onTestFinished(() => renameSync(join(root, 'a', half, 'b'), join(root, 'b')));
  writeFileSync(join(root, 'z.ts'), '');

  const walked = await reasonsOf(walker(root));

  expect(walked).toContain('z.ts: Accepted');
  expect(walked.at(-1)).toMatch(/: Folder not readable \(ENAMETOOLONG\)$/);
});

test('names with line breaks and emoji are names, and one that is not UTF-8 is left alone', async () => {
  const root = tempTree({ 'line\nbreak.ts': '', '😀/ü.ts': '', 'real\uFFFD.ts': '' });
  writeFileSync(Buffer.concat([Buffer.from(`${root}/`), Buffer.from([0x66, 0xff, 0x2e, 0x74, 0x73])]), '');

  expect((await reasonsOf(walker(root))).toSorted()).toEqual([
    'f\uFFFD.ts: The name is not valid UTF-8',
    'line\nbreak.ts: Accepted',
    'real\uFFFD.ts: Accepted',
    '😀/: Accepted',
    '😀/ü.ts: Accepted',
  ]);
});

test('100,000 files in one folder are walked', async () => {
  const entries = Array.from({ length: 100_000 }, (_, index) => file(`f${index}.ts`));
  const walk = walker('/r', { listFolder: () => entries });

  await collect(walk);

  expect(walk.metrics.counters['files emitted']).toBe(100_000);
});

function file(name: string): FolderEntry {
  return { name, type: 'File' };
}

function folder(name: string): FolderEntry {
  return { name, type: 'Directory' };
}
