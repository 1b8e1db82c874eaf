import { chmodSync, mkdirSync, statSync, symlinkSync } from 'node:fs';
import { expect, test } from 'vitest';
import { project } from './project.fixture.ts';

test('a new file is written with its folders [FR-32]', async () => {
  const { call, content } = project();

  expect(await call('write', { filePath: 'src/new/a.ts', content: 'one\ntwo' })).toEqual({
    title: 'src/new/a.ts',
    output: 'Wrote src/new/a.ts, a new file.',
    metadata: {
      diff: '--- /dev/null\n+++ src/new/a.ts\n@@ -0,0 +1,2 @@\n+one\n+two\n\\ No newline at end of file\n',
      additions: 2,
      deletions: 0,
      files: ['src/new/a.ts'],
    },
    isBounded: true,
  });
  expect(content('src/new/a.ts')).toBe('one\ntwo');
});

test('a file that was not read is not overwritten; one that was, or was written here, is [FR-32]', async () => {
  const { call, content, path } = project({ 'a.txt': 'old\n' });
  chmodSync(path('a.txt'), 0o640);
  await expect(call('write', { filePath: 'a.txt', content: 'new\n' })).rejects.toThrow(
    'a.txt exists, and you have not read it. Read it first, so that nothing is lost by accident.',
  );
  expect(content('a.txt')).toBe('old\n');

  await call('read', { filePath: 'a.txt' });
  expect((await call('write', { filePath: 'a.txt', content: 'new\n' })).output).toBe('Wrote a.txt.');
  await call('write', { filePath: 'a.txt', content: 'newer\n' });
  expect(content('a.txt')).toBe('newer\n');
  expect(statSync(path('a.txt')).mode & 0o777).toBe(0o640);
});

test('a file that changed since it was read is not overwritten', async () => {
  const { call, content, put } = project({ 'a.txt': 'old' });
  await call('read', { filePath: 'a.txt' });
  put('a.txt', 'mine');

  await expect(call('write', { filePath: 'a.txt', content: 'new' })).rejects.toThrow('a.txt changed on disk');
  expect(content('a.txt')).toBe('mine');
});

test('an empty file needs no reading, and the same content is not written again', async () => {
  const { call, content, path } = project({ 'empty.txt': '' });
  await call('write', { filePath: 'empty.txt', content: 'x' });
  const { mtimeMs, ino } = statSync(path('empty.txt'));

  expect((await call('write', { filePath: 'empty.txt', content: 'x' })).output).toBe(
    'empty.txt already has this content.',
  );
  expect(statSync(path('empty.txt'))).toMatchObject({ mtimeMs, ino });
  expect(content('empty.txt')).toBe('x');
});

test('byte order mark and CRLF of the old file are kept, and it is said', async () => {
  const { call, bytes } = project({
    'a.txt': '\uFEFFone\r\ntwo\r\n',
    'b.txt': Buffer.from('\uFEFFone', 'utf16le'),
    'c.txt': Buffer.from('gr\xfcn', 'latin1'),
  });
  for (const filePath of ['a.txt', 'b.txt', 'c.txt']) await call('read', { filePath });

  expect((await call('write', { filePath: 'a.txt', content: '1\n2\n' })).output).toBe(
    'Wrote a.txt. Its CRLF line ends were kept.',
  );
  await call('write', { filePath: 'b.txt', content: '\uFEFFzwölf' });
  await call('write', { filePath: 'c.txt', content: 'grün → blau' });
  expect(bytes('a.txt').toString()).toBe('\uFEFF1\r\n2\r\n');
  expect(bytes('b.txt')).toEqual(Buffer.from('\uFEFFzwölf', 'utf16le'));
  expect(bytes('c.txt').toString()).toBe('grün → blau');
});

test('a folder is not written over, and nothing is written below a file', async () => {
  const { call, path } = project({ 'a.txt': '' });
  mkdirSync(path('folder'));

  await expect(call('write', { filePath: 'folder', content: 'x' })).rejects.toThrow('folder is a folder, not a file.');
  await expect(call('write', { filePath: 'a.txt/b', content: 'x' })).rejects.toThrow('not a folder');
});

test('a dangling symlink is written where it points', async () => {
  const { call, content, path } = project();
  symlinkSync('later/target.txt', path('link'));
  await call('write', { filePath: 'link', content: 'x' });

  expect(content('later/target.txt')).toBe('x');
});

test.skipIf(process.getuid?.() === 0)(
  'a file that may only be read is not replaced by a rename (not as root)',
  async () => {
    const { call, content, path } = project({ 'a.txt': 'old' });
    chmodSync(path('a.txt'), 0o444);
    await call('read', { filePath: 'a.txt' });

    await expect(call('write', { filePath: 'a.txt', content: 'new' })).rejects.toThrow('a.txt may not be touched');
    expect(content('a.txt')).toBe('old');
  },
);

test.skipIf(process.getuid?.() === 0)(
  'a file in a folder that takes no new ones is written in place (not as root)',
  async () => {
    const { call, content, path, root } = project({ 'a.txt': 'old' });
    await call('read', { filePath: 'a.txt' });
    chmodSync(root, 0o555);
    await call('write', { filePath: 'a.txt', content: 'new' });
    const refused = call('write', { filePath: 'b.txt', content: 'new' });

    await expect(refused).rejects.toThrow('b.txt may not be touched');
    chmodSync(root, 0o755);
    expect([content('a.txt'), statSync(path('a.txt')).size]).toEqual(['new', 3]);
  },
);

test('a very large change is told by one hunk, and a diff that is too long is cut', async () => {
  const numbers = (from: number, count: number) =>
    Array.from({ length: count }, (_, index) => `${from + index}\n`).join('');
  const { call } = project({ 'a.txt': `same\n${numbers(0, 3000)}same\n` });
  await call('read', { filePath: 'a.txt' });

  const { metadata } = await call('write', { filePath: 'a.txt', content: `same\n${numbers(9000, 3000)}same\n` });
  expect(metadata).toMatchObject({ additions: 3000, deletions: 3000 });
  expect(String(metadata?.['diff']).slice(0, 60)).toBe(
    '--- a.txt\n+++ a.txt\n@@ -1,3002 +1,3002 @@\n same\n-0\n-1\n-2\n-3\n',
  );

  const large = await call('write', { filePath: 'b.txt', content: 'x'.repeat(99).concat('\n').repeat(5000) });
  expect(large.metadata).toMatchObject({ additions: 5000, isDiffCut: true });
  expect(String(large.metadata?.['diff']).length).toBeLessThanOrEqual(200_001);
});
