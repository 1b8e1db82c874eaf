import {
  appendFileSync,
  mkdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { tempFolder } from '@dragoman/testkit';
import { expect, onTestFinished, test } from 'vitest';
import { blobName } from '../blob-name.ts';
import { tempTree, writeTree } from '../filter/tree.fixture.ts';
import { scanFolder } from './scan-folder.ts';
import { ScanMemory } from './scan-memory.fixture.ts';

const pathsOf = (entries: readonly { path: string }[]) => entries.map(({ path }) => path);

test('a scan names every file that the rules and its content allow, and says what else is there [SYNC-15]', () => {
  const root = tempTree({
    '.gitignore': '*.log\n',
    'a.ts': 'a',
    'b.log': '',
    'c/d.ts': 'd',
    'c/image.png': '\0',
    'c/node_modules/x.js': '',
    id_rsa: '',
  });
  symlinkSync('a.ts', join(root, 'link.ts'));
  const memory = new ScanMemory(root);

  const { rejected, folders } = memory.scan();

  expect(memory.names()).toEqual({
    '.gitignore': blobName('.gitignore', '*.log\n'),
    'a.ts': blobName('a.ts', 'a'),
    'c/d.ts': blobName('c/d.ts', 'd'),
    'c/image.png': 'binary',
  });
  expect(pathsOf(folders)).toEqual(['', 'c']);
  expect(rejected).toEqual([
    { path: 'b.log', type: 'File', layer: `${root}/.gitignore`, reason: `Ignored by ${root}/.gitignore:1 (*.log)` },
    {
      path: 'id_rsa',
      type: 'File',
      layer: 'default Augment rules',
      reason: 'Ignored by default Augment rules (id_rsa)',
    },
    { path: 'link.ts', type: 'Other', layer: 'file type', reason: 'Not a file' },
    {
      path: 'c/node_modules',
      type: 'Directory',
      layer: 'Dragoman defaults',
      reason: 'Ignored by Dragoman defaults (node_modules/)',
    },
  ]);
});

test('SYNC-06 a changed file gets a new name and no other does', () => {
  const memory = new ScanMemory(tempTree({ 'a/x.ts': '1', 'a/y.ts': '2', 'z.ts': '3' }));
  memory.scan();
  const before = memory.names();

  writeTree(memory.root, { 'a/x.ts': 'changed' });
  memory.scan();

  expect(memory.names()).toEqual({ ...before, 'a/x.ts': blobName('a/x.ts', 'changed') });
});

test('what has not changed is neither listed, read nor repeated', () => {
  const memory = new ScanMemory(tempTree({ 'a.ts': 'a', 'b/c.bin': '\0', 'b/d/e.ts': 'e', big: 'x'.repeat(50) }));
  memory.scan({ maxBytes: 40 });

  const { timings: _timings, ...found } = memory.scan({ maxBytes: 40 });
  expect(found).toEqual({
    files: [],
    unchanged: 4,
    gone: [],
    folders: [],
    goneFolders: [],
    rejected: [],
    unreadable: [],
    needsSweep: undefined,
    met: { File: 4, Directory: 2, Other: 0 },
  });

  // A folder that is known is not listed, so a file that nobody remembers is not met.
  memory.files.delete('b/d/e.ts');
  expect(memory.scan({ maxBytes: 40 }).files).toEqual([]);
  expect(pathsOf(memory.scan({ maxBytes: 40, knownFolders: new Map() }).files)).toEqual(['b/d/e.ts']);
});

test('each kind of change is found', () => {
  const memory = new ScanMemory(
    tempTree({ 'a.ts': 'a', 'b.ts': 'b', 'c/d.ts': 'd', 'c/e/f.ts': 'f', 'g/h.ts': 'h', 'i.ts': 'i', 'j.ts': 'j' }),
  );
  const { root } = memory;
  memory.scan();

  appendFileSync(join(root, 'a.ts'), '2');
  rmSync(join(root, 'b.ts'));
  rmSync(join(root, 'c'), { recursive: true });
  renameSync(join(root, 'g'), join(root, 'k'));
  rmSync(join(root, 'i.ts'));
  mkdirSync(join(root, 'i.ts'));
  writeTree(root, { 'i.ts/new.ts': 'n', 'l/m/n.ts': 'n' });
  const { gone, goneFolders } = memory.scan();

  expect(memory.names()).toEqual({
    'a.ts': blobName('a.ts', 'a2'),
    'i.ts/new.ts': blobName('i.ts/new.ts', 'n'),
    'j.ts': blobName('j.ts', 'j'),
    'k/h.ts': blobName('k/h.ts', 'h'),
    'l/m/n.ts': blobName('l/m/n.ts', 'n'),
  });
  expect(gone.toSorted()).toEqual(['b.ts', 'c/d.ts', 'c/e/f.ts', 'g/h.ts', 'i.ts']);
  expect(goneFolders.toSorted()).toEqual(['c', 'c/e', 'g']);
});

test('a write that keeps size and time is found', () => {
  const memory = new ScanMemory(tempTree({ 'a.ts': 'one' }));
  const { root } = memory;
  utimesSync(join(root, 'a.ts'), 1_000, 1_000);
  memory.scan();

  writeFileSync(join(root, 'a.ts'), 'two');
  utimesSync(join(root, 'a.ts'), 1_000, 1_000);
  memory.scan();

  expect(memory.names()).toEqual({ 'a.ts': blobName('a.ts', 'two') });
});

test('what was written just before a scan is read and listed again by the next one', () => {
  const memory = new ScanMemory(tempTree({ 'a/b.ts': 'b' }));

  const first = memory.scan({ settleMs: 3_600_000 });
  expect(first.files).toMatchObject([{ path: 'a/b.ts', isSettled: false }]);
  const second = memory.scan();

  expect(second.files).toMatchObject([{ path: 'a/b.ts', isSettled: true, blobName: blobName('a/b.ts', 'b') }]);
  expect(second).toMatchObject({ unchanged: 0, folders: [{ path: '' }, { path: 'a', isSettled: true }] });
  expect(memory.scan()).toMatchObject({ files: [], folders: [], unchanged: 1 });
});

test('a changed ignore file is followed at any level, although no listing changed', () => {
  const memory = new ScanMemory(
    tempTree({ '.gitignore': 'x\n', 'a/.gitignore': 'y\n', 'a/b/y': '', 'a/b/z': '', 'c/z': '' }),
  );
  memory.scan();

  writeTree(memory.root, { 'a/.gitignore': 'z\n' });
  const { gone, folders } = memory.scan();

  expect(gone).toEqual(['a/b/z']);
  expect(Object.keys(memory.names()).toSorted()).toEqual(['.gitignore', 'a/.gitignore', 'a/b/y', 'c/z']);
  expect(pathsOf(folders)).toEqual(['a', 'a/b']);

  rmSync(join(memory.root, 'a/.gitignore'));
  memory.scan();
  expect(Object.keys(memory.names()).toSorted()).toEqual(['.gitignore', 'a/b/y', 'a/b/z', 'c/z']);
});

test('other extensions and another limit are followed without reading what is known', () => {
  const memory = new ScanMemory(tempTree({ 'a.ts': 'a', 'b.rs': 'b', 'big.ts': 'x'.repeat(100) }));
  memory.scan();

  expect(memory.scan({ maxBytes: 50 }).files).toMatchObject([{ path: 'big.ts', leftOut: 'too-large' }]);
  expect(memory.scan().files).toMatchObject([{ path: 'big.ts', leftOut: undefined }]);
  expect(memory.scan({ extensions: ['.rs'] })).toMatchObject({ files: [], unchanged: 1, gone: ['a.ts', 'big.ts'] });
});

test('a scan that was cut off is made good by the next one', () => {
  const tree = Object.fromEntries(
    Array.from({ length: 40 }, (_, index) => [`f${index % 4}/g${index % 3}/${index}`, '']),
  );
  const whole = new ScanMemory(tempTree(tree));
  whole.scan();

  for (const batches of [1, 3, 6, 9]) {
    const memory = new ScanMemory(whole.root);
    memory.apply([...scanFolder({ root: whole.root, settleMs: 0, batchSize: 4 })].slice(0, batches));
    expect(memory.files.size).toBeLessThan(40);
    memory.scan();
    expect(new Set(memory.files.keys())).toEqual(new Set(whole.files.keys()));
  }
});

test('batches hold no more than they may, and together they are everything', () => {
  const root = tempTree(Object.fromEntries(Array.from({ length: 25 }, (_, index) => [`${index}.ts`, ''])));
  const batches = [...scanFolder({ root, batchSize: 10 })];

  expect(batches.map((batch) => batch.files.length)).toEqual([10, 10, 5]);
});

test('links are not followed, in circles or out of the root, and the root may be one', () => {
  const outer = tempTree({ 'real/a/b.ts': 'b', 'out/secret.ts': 's' });
  const root = join(outer, 'real');
  symlinkSync(root, join(root, 'a/circle'));
  symlinkSync('../out', join(root, 'out'));
  symlinkSync('../out/secret.ts', join(root, 'secret.ts'));
  symlinkSync('real', join(outer, 'link'));
  const memory = new ScanMemory(join(outer, 'link'));

  const { rejected } = memory.scan();

  expect(memory.names()).toEqual({ 'a/b.ts': blobName('a/b.ts', 'b') });
  expect(rejected.map(({ path, reason }) => `${path}: ${reason}`)).toEqual([
    'out: Not a file',
    'secret.ts: Not a file',
    'a/circle: Not a file',
  ]);
});

test('a large file is remembered by its size and never read', () => {
  const memory = new ScanMemory(tempTree({ 'sparse.txt': '' }));
  truncateSync(join(memory.root, 'sparse.txt'), 2 ** 40);

  expect(memory.scan().files).toMatchObject([{ path: 'sparse.txt', size: 2 ** 40, leftOut: 'too-large' }]);
  expect(memory.scan()).toMatchObject({ files: [], unchanged: 1 });
});

test('what cannot be reached is told each time, and what is known there stays', () => {
  const root = tempFolder();
  const half = Array.from({ length: 15 }, () => 'l'.repeat(200)).join('/');
  mkdirSync(join(root, 'a', half), { recursive: true });
  mkdirSync(join(root, 'b', half), { recursive: true });
  writeFileSync(join(root, 'z.ts'), 'z');
  // Each half can be named; together they cannot.
  renameSync(join(root, 'b'), join(root, 'a', half, 'b'));
  onTestFinished(() => renameSync(join(root, 'a', half, 'b'), join(root, 'b')));
  const memory = new ScanMemory(root);

  const [problem] = memory.scan().unreadable;
  memory.files.set(`${problem!.path}/known.ts`, { ...memory.files.get('z.ts')! });

  expect(problem!.reason).toBe('Folder not readable (ENAMETOOLONG)');
  expect(memory.scan()).toMatchObject({ gone: [], unreadable: [problem] });
  expect(memory.files.has(`${problem!.path}/known.ts`)).toBe(true);
});

test('names with line breaks and emoji are scanned, and one that is not UTF-8 is left alone', () => {
  const memory = new ScanMemory(
    tempTree({ '.gitignore': '**/x.ts\n', 'line\nbreak/x.ts': '', 'line\nbreak/y.ts': '', '😀.ts': '' }),
  );
  writeFileSync(Buffer.concat([Buffer.from(`${memory.root}/`), Buffer.from([0xff])]), '');

  const { rejected } = memory.scan();

  expect(Object.keys(memory.names()).toSorted()).toEqual(['.gitignore', 'line\nbreak/y.ts', '😀.ts']);
  expect(rejected.map(({ path, reason }) => [path, reason])).toEqual([
    ['\uFFFD', 'The name is not valid UTF-8'],
    ['line\nbreak/x.ts', `Ignored by ${memory.root}/.gitignore:1 (**/x.ts)`],
  ]);
});

test('a root that is missing, no folder or not absolute is refused, so that nothing is taken for deleted [SYNC-12, SYNC-13]', () => {
  const root = tempTree({ 'a.ts': '' });
  const scan = (path: string) => [...scanFolder({ root: path })];

  expect(() => scan(join(root, 'gone'))).toThrow(`There is no folder ${root}/gone`);
  expect(() => scan(join(root, 'a.ts'))).toThrow(`${root}/a.ts is not a folder`);
  expect(() => scan('relative')).toThrow('The folder to scan must be an absolute path: relative');
});

test('of given paths, only these are looked at: changed, new, deleted and moved', () => {
  const memory = new ScanMemory(tempTree({ 'a.ts': 'a', 'b.ts': 'b', 'c/d.ts': 'd', 'c/e/f.ts': 'f', 'g.ts': 'g' }));
  const { root } = memory;
  memory.scan();

  writeTree(root, { 'a.ts': 'a2', 'g.ts': 'not asked about', 'new/x/y.ts': 'y', 'new/z.pem': '' });
  rmSync(join(root, 'b.ts'));
  rmSync(join(root, 'c'), { recursive: true });
  const { rejected, goneFolders } = memory.scan({ paths: ['a.ts', 'b.ts', 'c', 'c/d.ts', 'new/', './never/was.ts'] });

  expect(memory.names()).toEqual({
    'a.ts': blobName('a.ts', 'a2'),
    'g.ts': blobName('g.ts', 'g'),
    'new/x/y.ts': blobName('new/x/y.ts', 'y'),
  });
  expect(goneFolders).toEqual(['c', 'c/e']);
  expect(pathsOf(rejected)).toEqual(['new/z.pem']);
});

test('of given paths, what is in something left out, behind a link or outside is not looked at [SYNC-14]', () => {
  const outer = tempTree({ 'root/.gitignore': 'out/\n', 'root/out/a/b.ts': '', 'other/c.ts': '' });
  const memory = new ScanMemory(join(outer, 'root'));
  symlinkSync('../other', join(memory.root, 'link'));
  memory.scan();

  const { files, rejected } = memory.scan({
    paths: ['out/a/b.ts', 'out/c.ts', 'link/c.ts', '../other/c.ts', '.git/index'],
  });

  expect(files).toEqual([]);
  expect(rejected.map(({ path, reason }) => `${path}: ${reason}`)).toEqual([
    `out: Ignored by ${memory.root}/.gitignore:1 (out/)`,
    'link: Not a file',
  ]);
});

test('of given paths, a file that became a folder and a folder that became a file are followed', () => {
  const memory = new ScanMemory(tempTree({ a: 'file', 'b/c.ts': 'c' }));
  memory.scan();

  rmSync(join(memory.root, 'a'));
  rmSync(join(memory.root, 'b'), { recursive: true });
  writeTree(memory.root, { 'a/x.ts': 'x', b: 'file' });
  memory.scan({ paths: ['a', 'b'] });

  expect(memory.names()).toEqual({ 'a/x.ts': blobName('a/x.ts', 'x'), b: blobName('b', 'file') });
});

test.each(['.gitignore', 'a/.augmentignore', 'a/.dragomanignore', '.git/info/exclude', '.git'])(
  'a change to %s asks for a scan of everything',
  (path) => {
    const memory = new ScanMemory(tempTree({ 'a/b.ts': '', '.git/info/exclude': '' }));

    expect(memory.scan({ paths: [path] }).needsSweep).toBe(`${path} holds rules for other files`);
  },
);

test('an ignore file in a folder left out asks for nothing', () => {
  const memory = new ScanMemory(tempTree({ 'node_modules/x/.gitignore': '' }));

  expect(memory.scan({ paths: ['node_modules/x/.gitignore', '.git/index'] }).needsSweep).toBeUndefined();
});

test('what is found is handed over as the scan goes: a file made during it is met [SYNC-15]', () => {
  const root = tempTree({ 'a.ts': '', 'b/': '' });
  const paths: string[] = [];

  for (const { files } of scanFolder({ root, batchSize: 1 })) {
    paths.push(...pathsOf(files));
    if (paths.at(-1) === 'a.ts') writeFileSync(join(root, 'b/made.ts'), '');
  }

  expect(paths).toEqual(['a.ts', 'b/made.ts']);
});

test('of a given folder what is below it is scanned, with the rules above it [SYNC-15]', () => {
  const root = tempTree({ '.gitignore': '*.log\n', 'a/.gitignore': 'x\n', 'a/b/c.log': '', 'a/b/x': '', 'a/b/y': '' });

  const { files, rejected } = new ScanMemory(root).scan({ paths: ['a/b'] });

  expect(pathsOf(files)).toEqual(['a/b/y']);
  expect(rejected.map(({ path, reason }) => `${path}: ${reason}`)).toEqual([
    `a/b/c.log: Ignored by ${root}/.gitignore:1 (*.log)`,
    `a/b/x: Ignored by ${root}/a/.gitignore:1 (x)`,
  ]);
});

test('a tree 1,500 folders deep is scanned to its end [SYNC-16]', () => {
  const root = tempFolder();
  mkdirSync(join(root, 'd/'.repeat(1_500)), { recursive: true });
  writeFileSync(join(root, 'd/'.repeat(1_500), 'end'), '');

  const { files, folders } = new ScanMemory(root).scan();

  expect(folders).toHaveLength(1_501);
  expect(pathsOf(files)).toEqual([`${'d/'.repeat(1_500)}end`]);
});

test('all entries of a folder come first, then those of the sub-folder found last [SYNC-17]', () => {
  const root = tempTree({
    'package.json': '{}',
    'src/index.js': '',
    'src/lib/x.js': '',
    'src/utils/helper.js': '',
    'tests/test.js': '',
  });

  expect(pathsOf(new ScanMemory(root).scan().files)).toEqual([
    'package.json',
    'tests/test.js',
    'src/index.js',
    'src/utils/helper.js',
    'src/lib/x.js',
  ]);
});

test('. and .. are no entries, and as given paths they lead to the root and nowhere [SYNC-18]', () => {
  const root = tempTree({ 'outside.ts': '', 'root/a.ts': '', 'root/b/c.ts': '' });
  const memory = new ScanMemory(join(root, 'root'));
  const scanned = ['.', '..', 'b/..', '../outside.ts'].map((path) => {
    const { files, rejected } = new ScanMemory(memory.root).scan({ paths: [path] });
    return pathsOf([...files, ...rejected]);
  });

  expect(scanned).toEqual([['a.ts', 'b/c.ts'], [], [], []]);
  expect(memory.scan().met).toEqual({ File: 2, Directory: 1, Other: 0 });
});

test('what is left out comes with its reason and is not entered; rules hold from their folder down [SYNC-19, SYNC-20]', () => {
  const root = tempTree({
    'a/.gitignore': 'out/\n',
    'a/in/out/x': '',
    'a/out/x': '',
    'b.pem': '',
    'out/x': '',
    'node_modules/x': '',
  });

  const { files, rejected } = new ScanMemory(root).scan();

  expect(pathsOf(files)).toEqual(['out/x', 'a/.gitignore']);
  expect(rejected.map(({ path, reason }) => `${path}: ${reason}`)).toEqual([
    'b.pem: Ignored by default Augment rules (*.pem)',
    'node_modules: Ignored by Dragoman defaults (node_modules/)',
    `a/out: Ignored by ${root}/a/.gitignore:1 (out/)`,
    `a/in/out: Ignored by ${root}/a/.gitignore:1 (out/)`,
  ]);
});

test('a folder that disappears during the scan is passed over', () => {
  const root = tempTree({ 'a.ts': '', 'b/x.ts': '', 'c/y.ts': '' });
  const paths: string[] = [];

  for (const { files, unreadable } of scanFolder({ root, batchSize: 1 })) {
    paths.push(...pathsOf(files), ...pathsOf(unreadable));
    if (paths.at(-1) === 'a.ts') rmSync(join(root, 'c'), { recursive: true });
  }

  expect(paths).toEqual(['a.ts', 'b/x.ts']);
});

test('what was met is counted by its kind, also where a folder did not have to be listed again', () => {
  const root = tempTree({ 'a.ts': '', 'b.ts': '', 'c/d.pem': '' });
  symlinkSync('a.ts', join(root, 'link'));
  const memory = new ScanMemory(root);

  expect(memory.scan().met).toEqual({ File: 3, Directory: 1, Other: 1 });
  // What was left out is not kept by a scan.
  expect(memory.scan().met).toEqual({ File: 2, Directory: 1, Other: 0 });
  expect(memory.scan({ paths: ['a.ts', 'c', 'link', 'none'] }).met).toEqual({ File: 1, Directory: 1, Other: 1 });
});

test('where the time went is measured, and together it is not more than all of it [SYNC-23]', () => {
  const { timings } = new ScanMemory(tempTree({ 'a.ts': 'a', 'b/c.ts': 'c' })).scan({ batchSize: 1 });

  expect(Object.keys(timings)).toEqual(['readDir', 'filter', 'stat', 'calculate', 'yield', 'total']);
  expect(Math.min(...Object.values(timings))).toBeGreaterThan(0);
  const { readDir, filter, stat, calculate, yield: yielded, total } = timings;
  expect(readDir + filter + stat + calculate + yielded).toBeLessThanOrEqual(total);
});
