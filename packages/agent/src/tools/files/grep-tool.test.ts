import { chmodSync } from 'node:fs';
import { join } from 'node:path';
import { rgPath } from '@vscode/ripgrep';
import { expect, test } from 'vitest';
import { paths, project } from './project.fixture.ts';

test('lines are found by a regular expression, grouped by file with their numbers [FR-32]', async () => {
  const { call } = project({
    'src/a.ts': 'let one\nlet two\r\nconst three\n',
    'b.md': 'let: me\n',
    'c.txt': 'nothing',
  });

  expect(await call('grep', { pattern: '^let\\b' })).toEqual({
    title: '^let\\b',
    output: 'b.md\n1: let: me\n\nsrc/a.ts\n1: let one\n2: let two',
    metadata: { count: 3, files: 2, hasMore: false },
    isBounded: true,
  });
  expect((await call('grep', { pattern: 'zzz' })).output).toBe('No matches.');
});

test('path is a folder or a file, and include chooses files [FR-32]', async () => {
  const { call, root, subjects } = project({ 'src/a.ts': 'x', 'src/a.js': 'x', 'lib/a.ts': 'x', 'lib/deep/b.ts': 'x' });
  const files = async (input: object, cwd = root) =>
    (await call('grep', { pattern: 'x', ...input }, { cwd })).output.split('\n\n').map((group) => group.split('\n')[0]);

  expect(await files({ path: 'src' })).toEqual(['src/a.js', 'src/a.ts']);
  expect(await files({ path: 'src/a.js' })).toEqual(['src/a.js']);
  expect(await files({ include: '*.ts' })).toEqual(['lib/a.ts', 'lib/deep/b.ts', 'src/a.ts']);
  expect(await files({ include: '*.{js,jsx}' })).toEqual(['src/a.js']);
  expect(await files({ include: 'lib/*.ts' })).toEqual(['lib/a.ts']);
  expect(await files({ include: '**/deep/*' })).toEqual(['lib/deep/b.ts']);
  expect(await files({ include: '!*.ts' })).toEqual(['src/a.js']);
  expect(await files({ include: 'nowhere/*.ts' })).toEqual(['No matches.']);
  expect(await files({ path: '..' }, join(root, 'src'))).toEqual([
    join(root, 'lib/a.ts'),
    join(root, 'lib/deep/b.ts'),
    'a.js',
    'a.ts',
  ]);
  await expect(files({ path: 'scr' })).rejects.toThrow('Did you mean src?');
  expect(await subjects('grep', { pattern: 'x', path: 'src/a.js' })).toEqual(paths('src/a.js'));
  expect(await subjects('grep', { pattern: 'x', include: '/etc/*' })).toEqual(paths('/etc'));
});

test('ignored files, git itself and binary files are not searched, hidden files are', async () => {
  const { call } = project({
    '.gitignore': 'dist\nsecret.ts\n',
    '.git/a.ts': 'hit',
    '.hidden.ts': 'hit',
    'dist/a.ts': 'hit',
    'secret.ts': 'hit',
    'a.bin': Buffer.from('hit\n\0\0\0hit\n'),
    'wide.txt': Buffer.from('\uFEFFhit\n', 'utf16le'),
  });

  expect((await call('grep', { pattern: 'hit' })).output).toBe('.hidden.ts\n1: hit\n\nwide.txt\n1: hit');
  expect((await call('grep', { pattern: 'hit', include: '*.ts' })).output).toBe('.hidden.ts\n1: hit');
  expect((await call('grep', { pattern: 'hit', include: '**' })).output).toBe('.hidden.ts\n1: hit\n\nwide.txt\n1: hit');
});

test('100 matches are the most, and long lines are cut', async () => {
  const { call } = project({ 'a.txt': 'hit\n'.repeat(101), 'b.min.js': `hit${'x'.repeat(9000)}` });

  const { output, metadata } = await call('grep', { pattern: 'hit' });
  expect(output.split('\n').length).toBe(1 + 100 + 2);
  expect(
    output.endsWith(
      '(Only the first 100 matches are shown; there are more. Narrow the search with pattern, path or include.)',
    ),
  ).toBe(true);
  expect(metadata).toEqual({ count: 100, files: 1, hasMore: true });
  expect((await call('grep', { pattern: 'hit', path: 'b.min.js' })).output).toBe(
    `b.min.js\n1: hit${'x'.repeat(397)} [... omitted end of long line]`,
  );
});

test('a bad regular expression is answered with what is wrong in it [FR-32]', async () => {
  const { call } = project({ 'a.txt': 'x' });

  await expect(call('grep', { pattern: 'a(' })).rejects.toThrow(/unclosed group/);
  await expect(call('grep', { pattern: 'a\0' })).rejects.toThrow('NUL');
  await expect(call('grep', { pattern: 'a', include: '[z-a]' })).rejects.toThrow('is not a pattern for paths');
});

test('look-around, several lines, and patterns that begin with a dash are understood', async () => {
  const { call } = project({ 'a.txt': 'foobar\nfoo\n--bar\n' });

  expect((await call('grep', { pattern: 'foo(?=bar)' })).output).toBe('a.txt\n1: foobar');
  expect((await call('grep', { pattern: 'foo\\n--' })).output).toBe('a.txt\n2: foo\n3: --bar');
  expect((await call('grep', { pattern: '--bar' })).output).toBe('a.txt\n3: --bar');
});

test('lines of files that read would ask for, or may not read, are left out, and it is said', async () => {
  const asked: string[] = [];
  const { call } = project(
    { '.env': 'KEY=1\nKEY=2', 'a.txt': 'KEY=3\nKEY=4', 'closed/b.txt': 'KEY=5' },
    {
      readAction: (subjects) => {
        asked.push(...subjects.map(({ value }) => value));
        return subjects.some(({ value }) => value.startsWith('closed'))
          ? 'deny'
          : asked.at(-1) === '.env'
            ? 'ask'
            : 'allow';
      },
    },
  );

  expect((await call('grep', { pattern: 'KEY' })).output).toBe(
    'a.txt\n1: KEY=3\n2: KEY=4\n\n(Matches in 2 more files may not be shown without asking; read such a file to ask.)',
  );
  expect(asked).toEqual(['.env', 'a.txt', 'closed/b.txt']);
  // Named itself, it was what the permissions were asked about before the search.
  expect((await call('grep', { pattern: 'KEY', path: '.env' })).output).toBe('.env\n1: KEY=1\n2: KEY=2');
  expect((await call('grep', { pattern: 'KEY', path: 'closed/b.txt' })).output).toMatch(/^No matches\./);
});

test('a file that becomes a link to another while it is searched shows nothing of that', async () => {
  const { path: outside } = project({ 'own.txt': 'KEY=1' });
  const { put, path } = project({});
  put('swap.sh', `#!/bin/sh\nln -sf ${outside('own.txt')} ${path('a.txt')}\nexec ${rgPath} "$@"\n`);
  chmodSync(path('swap.sh'), 0o755);
  const { call } = project({}, { readAction: () => 'ask', ripgrepPath: path('swap.sh') });
  put('a.txt', 'KEY=2');

  expect((await call('grep', { pattern: 'KEY', path: path('a.txt') })).output).toMatch(/^No matches\./);
});

test('in a folder outside the project that may be searched, only files that would be asked about inside are left out', async () => {
  const { root: outside } = project({ 'a.txt': 'KEY=1', 'deep/.env': 'KEY=2' });
  const { call } = project(
    {},
    { readAction: ([subject]) => (/^\/|\.env$/.test(subject!.value) ? 'ask' : 'allow'), alwaysReadable: () => [] },
  );

  expect((await call('grep', { pattern: 'KEY', path: outside })).output).toBe(
    `${outside}/a.txt\n1: KEY=1\n\n(Matches in 1 more files may not be shown without asking; read such a file to ask.)`,
  );
});

test('what is in a folder that is always open is shown without the permissions', async () => {
  const { root: outputs } = project({ 'long.txt': 'KEY=1' });
  const { call, subjects } = project({}, { readAction: () => 'ask', alwaysReadable: () => [outputs] });

  expect(await subjects('grep', { pattern: 'KEY', path: outputs })).toEqual([]);
  expect((await call('grep', { pattern: 'KEY', path: outputs })).output).toBe(`${outputs}/long.txt\n1: KEY=1`);
});
