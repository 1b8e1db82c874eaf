import { mkdirSync, renameSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { blobName } from '../blob-name.ts';
import { tempTree } from '../filter/tree.fixture.ts';
import { FileReader } from './file-reader.ts';
import { readBlob } from './read-blob.ts';

test('a file is given with its name and its text', () => {
  const root = tempTree({ 'src/größe.ts': 'const ü = "😀";\n', empty: '' });

  expect(readBlob(root, 'src/größe.ts')).toEqual({
    leftOut: undefined,
    blobName: blobName('src/größe.ts', 'const ü = "😀";\n'),
    content: 'const ü = "😀";\n',
    size: 19,
    mtimeMs: expect.any(Number),
  });
  expect(readBlob(root, 'empty')).toMatchObject({ blobName: blobName('empty', ''), content: '' });
});

test('SYNC-07 what is read is held to the limit, in bytes', () => {
  const root = tempTree({ 'a.txt': 'ääääää', 'b.txt': 'ääääää!' });

  expect(readBlob(root, 'a.txt', { maxBytes: 12 })).toMatchObject({ content: 'ääääää' });
  expect(readBlob(root, 'b.txt', { maxBytes: 12 })).toEqual({ leftOut: 'too-large', reason: 'Large file' });
});

test('a file far over the limit is not read', () => {
  const root = tempTree({ 'sparse.bin': '' });
  truncateSync(join(root, 'sparse.bin'), 8 * 2 ** 30);

  expect(readBlob(root, 'sparse.bin')).toEqual({ leftOut: 'too-large', reason: 'Large file' });
});

test('what is no text, holds a key, is a folder or is gone is told', () => {
  const root = tempTree({ 'a.bin': 'a\0b', 'b.txt': Buffer.from('Größe', 'latin1'), 'c/': '' });

  expect(['a.bin', 'b.txt', 'c', 'd', 'd/e', 'a.bin/x'].map((path) => readBlob(root, path))).toEqual([
    { leftOut: 'binary', reason: 'Binary file' },
    { leftOut: 'not-utf8', reason: 'Binary file' },
    { leftOut: 'not-a-file', reason: 'Not a file' },
    { leftOut: 'gone', reason: 'No such file' },
    { leftOut: 'gone', reason: 'No such file' },
    { leftOut: 'gone', reason: 'No such file' },
  ]);
});

test('nothing outside the folder is read, through a path or through a link', () => {
  const outer = tempTree({ 'secret.ts': 'secret', 'root/in/a.ts': 'a', 'out/b.ts': 'b' });
  const root = join(outer, 'root');
  symlinkSync('../secret.ts', join(root, 'link.ts'));
  symlinkSync('../out', join(root, 'linked'));
  const paths = [
    '../secret.ts',
    'in/../../secret.ts',
    join(outer, 'secret.ts'),
    '',
    'link.ts',
    'linked/b.ts',
    'in/../in/a.ts',
  ];

  expect(new Set(paths.map((path) => readBlob(root, path).leftOut))).toEqual(new Set(['not-a-file']));
  expect(readBlob(root, 'in/a.ts')).toMatchObject({ content: 'a' });
});

test('a folder that became a link since is not followed', () => {
  const outer = tempTree({ 'root/in/a.ts': 'a', 'out/a.ts': 'secret' });
  const root = join(outer, 'root');
  renameSync(join(root, 'in'), join(root, 'was'));
  symlinkSync('../out', join(root, 'in'));

  expect(readBlob(root, 'in/a.ts')).toEqual({ leftOut: 'not-a-file', reason: 'Not a file' });
});

test('the root itself may be a link', () => {
  const outer = tempTree({ 'real/in/a.ts': 'a' });
  symlinkSync('real', join(outer, 'root'));

  expect(readBlob(join(outer, 'root'), 'in/a.ts')).toMatchObject({ content: 'a' });
});

test.runIf(process.platform === 'linux')(
  'a file that has more in it than it had a moment ago is left for the next time (needs Linux)',
  () => {
    // The system says that it is empty, and every reading says otherwise.
    expect(new FileReader().read(`/proc/${process.pid}/status`, 'status', 1_000)).toMatchObject({
      leftOut: 'changed-while-read',
    });
  },
);

test('one reader reads small and large files after each other', () => {
  const root = tempTree({ small: 'a', large: 'b'.repeat(600_000) });
  mkdirSync(join(root, 'x'));
  writeFileSync(join(root, 'x/last'), 'c');
  const reader = new FileReader();

  const names = ['small', 'large', 'x/last', 'small'].map((path) => reader.read(join(root, path), path, 1_000_000));

  expect(names.map((reading) => reading !== 'gone' && reading.leftOut === undefined && reading.blobName)).toEqual([
    blobName('small', 'a'),
    blobName('large', 'b'.repeat(600_000)),
    blobName('x/last', 'c'),
    blobName('small', 'a'),
  ]);
});
