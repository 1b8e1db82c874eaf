import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { tempFolder } from '@dragoman/testkit';
import { expect, test } from 'vitest';
import { readTextFile, writeTextFile } from './client-files.ts';

test.each([
  [{}, 'one\ntwo\nthree'],
  [{ line: 2 }, 'two\nthree'],
  [{ line: 0, limit: 1 }, 'one\n'],
  [{ limit: 2 }, 'one\ntwo\n'],
  [{ line: 9 }, ''],
])('lines %j of a file are read', async (lines, content) => {
  const cwd = tempFolder();
  writeFileSync(join(cwd, 'a.txt'), 'one\ntwo\nthree');

  expect(await readTextFile(cwd, { path: join(cwd, 'a.txt'), ...lines })).toEqual({ content });
});

test.skipIf(process.platform === 'win32')('a pipe is neither read nor written, and keeps nobody waiting', async () => {
  const cwd = tempFolder();
  const path = join(cwd, 'pipe');
  execFileSync('mkfifo', [path]);

  await expect(readTextFile(cwd, { path })).rejects.toThrow('is not a file');
  await expect(writeTextFile(cwd, { path, content: 'x' })).rejects.toThrow('is not a file');
});

test('a file is written with the folders above it', async () => {
  const cwd = tempFolder();

  await writeTextFile(cwd, { path: join(cwd, 'a/b/c.txt'), content: 'long text' });
  await writeTextFile(cwd, { path: join(cwd, 'a/b/c.txt'), content: 'text' });

  expect(readFileSync(join(cwd, 'a/b/c.txt'), 'utf8')).toBe('text');
});

test('nothing outside the folder is read or written, by whatever name', async () => {
  const [cwd, outside] = [tempFolder(), tempFolder()];
  writeFileSync(join(outside, 'secret'), 'secret');
  symlinkSync(outside, join(cwd, 'folder'));
  symlinkSync(join(outside, 'secret'), join(cwd, 'file'));
  symlinkSync(join(outside, 'not-yet'), join(cwd, 'nowhere'));
  mkdirSync(join(cwd, 'sub'));
  const paths = [
    join(outside, 'secret'),
    join(cwd, 'folder/secret'),
    join(cwd, 'file'),
    `${cwd}/../secret`,
    'a.txt',
    '',
  ];

  for (const path of paths) {
    await expect(readTextFile(cwd, { path })).rejects.toMatchObject({ rpcCode: -32602 });
    await expect(writeTextFile(cwd, { path, content: 'x' })).rejects.toMatchObject({ rpcCode: -32602 });
  }
  await expect(writeTextFile(cwd, { path: join(cwd, 'nowhere'), content: 'x' })).rejects.toThrow('leads nowhere');
  await expect(writeTextFile(cwd, { path: join(cwd, 'sub'), content: 'x' })).rejects.toThrow('is a folder');
  await expect(writeTextFile(cwd, { path: join(cwd, 'a') })).rejects.toThrow('"content" is not a text');
  await expect(readTextFile(cwd, { path: join(cwd, 'sub') })).rejects.toThrow('is not a file');
  await expect(readTextFile(cwd, { path: join(cwd, 'gone') })).rejects.toMatchObject({ rpcCode: -32002 });
  expect(readFileSync(join(outside, 'secret'), 'utf8')).toBe('secret');
});
