import { chmodSync, existsSync, mkdirSync, readdirSync, statSync, symlinkSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { paths, project } from './project.fixture.ts';

const patch = (...lines: string[]) => ({ patchText: ['*** Begin Patch', ...lines, '*** End Patch'].join('\n') });

test('files are added, changed, moved and deleted by one patch', async () => {
  const { call, content, path, subjects } = project({ 'a.txt': 'one\ntwo\n', 'b.sh': 'b\n', 'gone.txt': 'bye\n' });
  chmodSync(path('b.sh'), 0o755);
  const input = patch(
    '*** Add File: new/x.txt',
    '+hello',
    '*** Update File: a.txt',
    '-two',
    '+2',
    '*** Update File: b.sh',
    '*** Move to: bin/c.sh',
    '-b',
    '+c',
    '*** Delete File: gone.txt',
  );

  expect(await subjects('apply-patch', input)).toEqual(paths('new/x.txt', 'a.txt', 'b.sh', 'bin/c.sh', 'gone.txt'));
  const result = await call('apply-patch', input);
  expect(result).toMatchObject({
    title: 'new/x.txt and 4 more',
    output: 'Applied the patch:\nadded new/x.txt\nchanged a.txt\nmoved b.sh to bin/c.sh\ndeleted gone.txt',
    metadata: { additions: 3, deletions: 3, files: ['new/x.txt', 'a.txt', 'b.sh', 'bin/c.sh', 'gone.txt'] },
  });
  expect(result.metadata?.['diff']).toBe(
    [
      '--- /dev/null\n+++ new/x.txt\n@@ -0,0 +1,1 @@\n+hello\n',
      '--- a.txt\n+++ a.txt\n@@ -1,2 +1,2 @@\n one\n-two\n+2\n',
      '--- b.sh\n+++ bin/c.sh\n@@ -1,1 +1,1 @@\n-b\n+c\n',
      '--- gone.txt\n+++ /dev/null\n@@ -1,1 +0,0 @@\n-bye\n',
    ].join(''),
  );
  expect([content('new/x.txt'), content('a.txt'), content('bin/c.sh')]).toEqual(['hello\n', 'one\n2\n', 'c\n']);
  expect([existsSync(path('b.sh')), existsSync(path('gone.txt'))]).toEqual([false, false]);
  expect(statSync(path('bin/c.sh')).mode & 0o777).toBe(0o755);
});

test('later sections see what earlier ones left', async () => {
  const { call, content, path } = project({ 'a.txt': 'one\n' });
  await call(
    'apply-patch',
    patch('*** Update File: a.txt', '-one', '+two', '*** Update File: a.txt', '-two', '+three'),
  );
  expect(content('a.txt')).toBe('three\n');

  // A file that leaves its place makes room for another.
  const result = await call(
    'apply-patch',
    patch(
      '*** Update File: a.txt',
      '*** Move to: b.txt',
      '*** Add File: a.txt',
      '+fresh',
      '*** Add File: c',
      '+x',
      '*** Delete File: c',
    ),
  );
  expect(result.output).toBe('Applied the patch:\nchanged a.txt\nadded b.txt');
  expect([content('a.txt'), content('b.txt'), existsSync(path('c'))]).toEqual(['fresh\n', 'three\n', false]);
});

describe('all or nothing', () => {
  const files = { 'a.txt': 'one\n', 'b.txt': 'two\n' };
  const first = ['*** Update File: a.txt', '-one', '+ONE'];

  test.each([
    [['*** Update File: b.txt', '-zzz'], 'These lines of the patch were not found in b.txt'],
    [['*** Update File: c.txt', '-x'], 'c.txt does not exist.'],
    [['*** Delete File: c.txt'], 'c.txt does not exist.'],
    [['*** Add File: b.txt', '+x'], 'b.txt exists already. Use "*** Update File: b.txt" to change it.'],
    [['*** Update File: b.txt', '*** Move to: a.txt'], 'b.txt cannot move to a.txt, which exists already.'],
    [['*** Delete File: link'], 'link is a symlink'],
    [['*** Update File: bin', '-x'], 'bin is binary'],
    [['*** Update File: dir', '-x'], 'dir is a folder'],
  ])('nothing is written when a section cannot be applied: %j', async (second, reason) => {
    const { call, content, path, put } = project(files);
    symlinkSync('a.txt', path('link'));
    put('bin', Buffer.from([0, 1]));
    mkdirSync(path('dir'));

    await expect(call('apply-patch', patch(...first, ...second))).rejects.toThrow(reason);
    expect([content('a.txt'), content('b.txt')]).toEqual(['one\n', 'two\n']);
  });

  test('what was written is put back when a later file cannot be', async () => {
    const { call, content, path, root, put } = project({ ...files, blocked: '' });
    chmodSync(path('a.txt'), 0o640);
    for (const filePath of ['a.txt', 'b.txt']) await call('read', { filePath });
    const input = patch(
      ...first,
      '*** Delete File: b.txt',
      '*** Add File: new/deep/x',
      '+x',
      '*** Add File: blocked/y',
      '+y',
    );

    await expect(call('apply-patch', input)).rejects.toThrow(
      'blocked/y is below something that is not a folder. Nothing of the patch was kept.',
    );
    expect([content('a.txt'), content('b.txt')]).toEqual(['one\n', 'two\n']);
    expect(readdirSync(root).toSorted()).toEqual(['a.txt', 'b.txt', 'blocked']);
    expect(statSync(path('a.txt')).mode & 0o777).toBe(0o640);
    // What the session knew of the files it still knows.
    await call('write', { filePath: 'b.txt', content: 'mine\n' });
    put('a.txt', 'other\n');
    await expect(call('write', { filePath: 'a.txt', content: 'x' })).rejects.toThrow('changed on disk');
  });

  test('a file that changed since it was read is refused', async () => {
    const { call, content, put } = project(files);
    await call('read', { filePath: 'a.txt' });
    put('a.txt', 'one\nmore\n');

    await expect(call('apply-patch', patch(...first))).rejects.toThrow('a.txt changed on disk');
    await expect(call('apply-patch', patch('*** Delete File: a.txt'))).rejects.toThrow('a.txt changed on disk');
    expect(content('a.txt')).toBe('one\nmore\n');
  });
});
