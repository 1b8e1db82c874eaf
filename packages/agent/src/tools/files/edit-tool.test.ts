import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  statSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { describe, expect, test } from 'vitest';
import { paths, project } from './project.fixture.ts';

const edit = (filePath: string, oldString: string, newString: string, replaceAll?: boolean) => ({
  filePath,
  oldString,
  newString,
  replaceAll,
});

describe('a change', () => {
  test('the text is replaced, and the diff tells what changed [FR-32]', async () => {
    const { call, content } = project({ 'src/a.ts': 'one\ntwo\nthree\n' });

    expect(await call('edit', edit('src/a.ts', 'two', '2'))).toEqual({
      title: 'src/a.ts',
      output: 'Edited src/a.ts at line 2.',
      metadata: {
        diff: '--- src/a.ts\n+++ src/a.ts\n@@ -1,3 +1,3 @@\n one\n-two\n+2\n three\n',
        additions: 1,
        deletions: 1,
        files: ['src/a.ts'],
      },
      isBounded: true,
    });
    expect(content('src/a.ts')).toBe('one\n2\nthree\n');
  });

  test('all places are replaced when asked so [FR-32]', async () => {
    const { call, content } = project({ 'a.ts': 'x\ny\nx x\n' });

    expect((await call('edit', edit('a.ts', 'x', 'z', true))).output).toBe('Edited a.ts in 3 places (lines 1, 3, 3).');
    expect(content('a.ts')).toBe('z\ny\nz z\n');
  });

  test('a slip that leaves no doubt is looked through and told', async () => {
    const { call, content } = project({ 'a.ts': '{\n  a();\n  b();\n}\n' });

    expect((await call('edit', edit('a.ts', 'a();\nb();', 'a();\nc();'))).output).toBe(
      'Edited a.ts at line 2. oldString differed from the file in its indentation; newString was fitted to the file.',
    );
    expect(content('a.ts')).toBe('{\n  a();\n  c();\n}\n');
  });

  test('byte order mark, line ends and encoding of the file stay', async () => {
    const { call, bytes } = project({
      'bom.txt': '\uFEFFone\r\ntwo\r\n',
      'utf16.txt': Buffer.from('\uFEFFone\ntwo\n', 'utf16le'),
      'old.txt': Buffer.from('gr\xfcn \xff\n', 'latin1'),
    });
    await call('edit', edit('bom.txt', 'one\ntwo', '1\n2'));
    await call('edit', edit('utf16.txt', 'two', 'zwölf'));
    await call('edit', edit('old.txt', 'grün', 'größer'));

    expect(bytes('bom.txt').toString()).toBe('\uFEFF1\r\n2\r\n');
    expect(bytes('utf16.txt')).toEqual(Buffer.from('\uFEFFone\nzwölf\n', 'utf16le'));
    expect(bytes('old.txt')).toEqual(Buffer.from('gr\xf6\xdfer \xff\n', 'latin1'));
    await expect(call('edit', edit('old.txt', 'größer', '→'))).rejects.toThrow('an older encoding that has no "→"');
  });

  test('permission bits and symlinks stay, and no other file is left behind', async () => {
    const { call, content, path, root } = project({ 'run.sh': 'echo 1\n', 'real/a.txt': 'one' });
    chmodSync(path('run.sh'), 0o751);
    symlinkSync('real/a.txt', path('link.txt'));
    await call('edit', edit('run.sh', '1', '2'));
    await call('edit', edit('link.txt', 'one', 'two'));

    expect(statSync(path('run.sh')).mode & 0o777).toBe(0o751);
    expect(lstatSync(path('link.txt')).isSymbolicLink()).toBe(true);
    expect(content('real/a.txt')).toBe('two');
    expect(readdirSync(root).toSorted()).toEqual(['link.txt', 'real', 'run.sh']);
    expect(readdirSync(path('real'))).toEqual(['a.txt']);
  });

  test('many changes at once each find the file as the one before left it', async () => {
    const { call, content } = project({ 'a.txt': 'a b c d e f' });
    await Promise.all(
      ['a', 'b', 'c', 'd', 'e', 'f'].map((letter) => call('edit', edit('a.txt', letter, letter.toUpperCase()))),
    );

    expect(content('a.txt')).toBe('A B C D E F');
  });
});

describe('a new file', () => {
  test('an empty oldString writes a file that is not there, with its folders, or one that is empty [FR-32]', async () => {
    const { call, content } = project({ 'empty.txt': '' });

    expect(await call('edit', edit('new/deep/a.txt', '', 'hello\n'))).toMatchObject({
      title: 'new/deep/a.txt',
      output: 'Wrote new/deep/a.txt.',
      metadata: { diff: '--- /dev/null\n+++ new/deep/a.txt\n@@ -0,0 +1,1 @@\n+hello\n', additions: 1, deletions: 0 },
    });
    await call('edit', edit('empty.txt', '', 'x'));
    expect([content('new/deep/a.txt'), content('empty.txt')]).toEqual(['hello\n', 'x']);
  });

  test('an empty oldString never replaces content', async () => {
    const { call, content } = project({ 'a.txt': 'x' });

    await expect(call('edit', edit('a.txt', '', 'y'))).rejects.toThrow('a.txt has content already.');
    expect(content('a.txt')).toBe('x');
  });
});

describe('what is refused', () => {
  test('text that is not there, with the lines that come closest [FR-32]', async () => {
    const { call, content } = project({ 'a.ts': 'function first() {\n  return 1;\n}\n' });

    await expect(call('edit', edit('a.ts', 'function first() {\n  return 2;\n}', 'x'))).rejects.toThrow(
      [
        'oldString was not found in a.ts; nothing was changed.',
        'The lines that come closest (number, tab, line):',
        '1\tfunction first() {',
        '2\t  return 1;',
        '3\t}',
        'Copy the text exactly as it stands there.',
      ].join('\n'),
    );
    await expect(call('edit', edit('a.ts', 'SELECT * FROM users', 'x'))).rejects.toThrow(
      'Nothing in the file comes near it. Read the file again.',
    );
    await expect(call('edit', edit('a.ts', '2\t  return 1;', 'x'))).rejects.toThrow(
      'It seems to hold the line numbers that read shows; leave them out.',
    );
    expect(content('a.ts')).toBe('function first() {\n  return 1;\n}\n');
  });

  test('text that is there several times, with all its lines [FR-32]', async () => {
    const { call } = project({ 'a.ts': 'x\n\nx\nx x', 'b.ts': '  f();\n  g();\n    f();\n    g();\n' });

    await expect(call('edit', edit('a.ts', 'x', 'y'))).rejects.toThrow(
      'oldString stands in a.ts 4 times, at lines 1, 3, 4, 4. Add lines around it until it is there once, or set replaceAll.',
    );
    await expect(call('edit', edit('b.ts', 'f();\ng();', 'y', true))).rejects.toThrow(
      'Apart from its indentation, oldString stands in b.ts 2 times, at lines 1, 3. Copy it exactly.',
    );
  });

  test('a change that changes nothing', async () => {
    const { call } = project({ 'a.ts': 'it’s' });

    await expect(call('edit', edit('a.ts', 'x', 'x'))).rejects.toThrow('oldString and newString are the same');
    await expect(call('edit', edit('a.ts', "it's", 'it’s'))).rejects.toThrow('nothing was changed');
  });

  test('what is no text file', async () => {
    const { call, path } = project({ 'a.bin': Buffer.from([0, 1, 2]), 'src/main.ts': '' });
    execFileSync('mkfifo', [path('pipe')]);
    writeFileSync(path('huge.txt'), 'x');
    truncateSync(path('huge.txt'), 30_000_000);

    await expect(call('edit', edit('huge.txt', 'x', 'y'))).rejects.toThrow(
      'huge.txt is 30000000 bytes; files up to 20971520 can be changed with this tool.',
    );
    await expect(call('edit', edit('a.bin', 'x', 'y'))).rejects.toThrow('a.bin is binary (3 bytes)');
    await expect(call('edit', edit('src', 'x', 'y'))).rejects.toThrow('src is a folder, not a file.');
    await expect(call('edit', edit('pipe', 'x', 'y'))).rejects.toThrow('cannot be changed.');
    await expect(call('edit', edit('src/mian.ts', 'x', 'y'))).rejects.toThrow('Did you mean src/main.ts?');
  });
});

describe('a file that changed in the meantime', () => {
  test('is refused until it is read again [FR-32]', async () => {
    const { call, content, put } = project({ 'a.txt': 'one two' });
    await call('read', { filePath: 'a.txt' });
    put('a.txt', 'one 2wo');

    await expect(call('edit', edit('a.txt', 'one', '1'))).rejects.toThrow(
      'a.txt changed on disk since you last read it. Read it again, then make the change.',
    );
    await call('read', { filePath: 'a.txt' });
    await call('edit', edit('a.txt', 'one', '1'));
    await call('edit', edit('a.txt', '1', 'I'));
    expect(content('a.txt')).toBe('I 2wo');
  });

  test('is not one whose time changed and nothing else, nor one that the session never read', async () => {
    const { call, content, path } = project({ 'a.txt': 'one', 'b.txt': 'one' });
    await call('read', { filePath: 'a.txt' });
    utimesSync(path('a.txt'), 1, 1);
    await call('edit', edit('a.txt', 'one', 'two'));
    await call('edit', edit('b.txt', 'one', 'two'));

    expect([content('a.txt'), content('b.txt')]).toEqual(['two', 'two']);
  });

  test('is known by time and size when it is so large that only a piece was read', async () => {
    const { call, path } = project({ 'big.txt': `start\n${'x\n'.repeat(200_000)}` });
    await call('read', { filePath: 'big.txt', limit: 1 });
    await call('edit', edit('big.txt', 'start', 'begin'));
    await call('read', { filePath: 'big.txt', limit: 1 });
    utimesSync(path('big.txt'), 1, 1);

    await expect(call('edit', edit('big.txt', 'begin', 'x'))).rejects.toThrow('changed on disk');
  });

  test('each session has read what it read itself', async () => {
    const { call } = project({ 'a.txt': 'one' });
    await call('read', { filePath: 'a.txt' }, { sessionID: 'ses_1' });
    await call('edit', edit('a.txt', 'one', 'two'), { sessionID: 'ses_2' });

    await expect(call('edit', edit('a.txt', 'two', 'three'), { sessionID: 'ses_1' })).rejects.toThrow(
      'changed on disk',
    );
  });
});

test('an edit, a write and a patch are all edits to the permissions, and readers change nothing', async () => {
  const { tools, subjects, path } = project();
  mkdirSync(path('src'));

  expect(tools.map(({ id, permission, isReadOnly }) => [id, permission ?? id, isReadOnly === true])).toEqual([
    ['read', 'read', true],
    ['glob', 'glob', true],
    ['grep', 'grep', true],
    ['edit', 'edit', false],
    ['write', 'edit', false],
    ['apply-patch', 'edit', false],
  ]);
  expect(await subjects('edit', edit('src/a.ts', '', 'x'))).toEqual(paths('src/a.ts'));
  expect(await subjects('write', { filePath: '../a.ts', content: '' })).toEqual(paths(path('../a.ts')));
});
