import { expect, test } from 'vitest';
import { compilePathPattern, isInsideProject, normalizePath } from './path-pattern.ts';

const options = { home: '/home/ann' };
const matches = (pattern: string, path: string) => compilePathPattern(pattern, options)(normalizePath(path, options));

test('a path has one form, whatever way it is written', () => {
  expect(normalizePath('./a/../b')).toBe('b');
  expect(normalizePath('a//b/./c/')).toBe('a/b/c');
  expect(normalizePath('src\\lib\\x.ts')).toBe('src/lib/x.ts');
  expect(normalizePath('/a/../../b')).toBe('/b');
  expect(normalizePath('a/../../b')).toBe('../b');
  expect(normalizePath('x*/../../b')).toBe('../b');
  expect(normalizePath('C:\\Users\\..\\..\\x')).toBe('c:/x');
  expect(normalizePath('D:')).toBe('d:/');
  expect(normalizePath('\\\\server\\share')).toBe('/server/share');
  expect(normalizePath('')).toBe('.');
  expect(normalizePath('/')).toBe('/');
  expect(normalizePath('~/x', options)).toBe('/home/ann/x');
  expect(normalizePath('~ann/x', options)).toBe('~ann/x');
  expect(normalizePath('e\u0301.ts')).toBe('\u00e9.ts');
  expect(normalizePath('SRC/A.ts', { ignoresCase: true })).toBe('src/a.ts');
});

test('what is absolute, on a drive or above is outside the project', () => {
  expect(['a', '.', '.env', '..a', 'a/b'].every(isInsideProject)).toBe(true);
  expect(['/', '/a', '..', '../a', 'c:/a'].some(isInsideProject)).toBe(false);
});

test('a pattern without a slash is about the name of the file, at any depth [ACC-21]', () => {
  expect(matches('.env', '.env')).toBe(true);
  expect(matches('.env', 'a/b/.env')).toBe(true);
  expect(matches('.env', '/etc/.env')).toBe(true);
  expect(matches('.env', 'a/x.env')).toBe(false);
  expect(matches('*.env', 'a/x.env')).toBe(true);
  expect(matches('id_*', 'id_x/readme.md')).toBe(false);
});

test('a pattern with a slash starts at the root of the project, at / or at home [ACC-21]', () => {
  expect(matches('src/*.ts', 'src/a.ts')).toBe(true);
  expect(matches('src/*.ts', 'src/deep/a.ts')).toBe(true);
  expect(matches('src/*.ts', 'lib/src/a.ts')).toBe(false);
  expect(matches('./.env', '.env')).toBe(true);
  expect(matches('./.env', 'a/.env')).toBe(false);
  expect(matches('./src/../lib/*', 'lib/a')).toBe(true);
  expect(matches('/etc/*', '/etc/passwd')).toBe(true);
  expect(matches('/etc/*', 'etc/passwd')).toBe(false);
  expect(matches('~/notes/*', '/home/ann/notes/x')).toBe(true);
  expect(matches('~', '/home/ann')).toBe(true);
  expect(matches('C:\\tmp\\*', 'c:/tmp/x')).toBe(true);
  expect(matches('**/test/*.ts', 'test/a.ts')).toBe(true);
  expect(matches('**/test/*.ts', 'a/b/test/a.ts')).toBe(true);
  expect(matches('*/../x', 'x')).toBe(false);
});

test('a pattern that ends in a slash, alone or with two stars, is the folder and everything below [ACC-21]', () => {
  for (const pattern of ['src/', 'src/**']) {
    expect(matches(pattern, 'src')).toBe(true);
    expect(matches(pattern, 'src/a/b')).toBe(true);
    expect(matches(pattern, 'srcs/a')).toBe(false);
    expect(matches(pattern, 'a/src/b')).toBe(false);
  }
  expect(matches('**/src/', 'a/src/b')).toBe(true);
  expect(matches('/**', '/')).toBe(true);
  expect(matches('/**', '/x')).toBe(true);
  expect(matches('/**', 'x')).toBe(false);
  expect(matches('~/**', '/home/ann/.ssh/id')).toBe(true);
  expect(matches('?:/**', 'E:\\x')).toBe(true);
  expect(matches('?:/**', 'e')).toBe(false);
  expect(matches('../**', '../x')).toBe(true);
  expect(matches('./**', '.')).toBe(true);
  expect(matches('./**', 'a/b')).toBe(true);
  expect(matches('./**', '/a')).toBe(false);
  expect(matches('./**', '../a')).toBe(false);
  expect(matches('**', '/a')).toBe(true);
});

test('a pattern that starts nowhere can be held inside the project', () => {
  const inside = (pattern: string, path: string) =>
    compilePathPattern(pattern, { ...options, isInsideOnly: true })(normalizePath(path, options));

  expect(inside('*.ts', 'a.ts')).toBe(true);
  expect(inside('*.ts', '/etc/a.ts')).toBe(false);
  expect(inside('**/a.ts', '../a.ts')).toBe(false);
  expect(inside('/etc/**', '/etc/a.ts')).toBe(true);
  expect(inside('~/**', '/home/ann/a.ts')).toBe(true);
  expect(inside('/etc/*', '/etc/a.ts')).toBe(true);
  expect(inside('?:/**', 'D:\\a.ts')).toBe(true);
});

test('held inside the project, stars alone are about the project too, and about no .git folder [ACC-21]', () => {
  const inside = (pattern: string, path: string) =>
    compilePathPattern(pattern, { ...options, isInsideOnly: true })(normalizePath(path, options));

  for (const pattern of ['*', '**', './**', '**/*']) {
    expect(inside(pattern, 'src/a.ts')).toBe(true);
    expect(inside(pattern, '.gitignore')).toBe(true);
    expect(
      ['../w.txt', '/etc/a', '~/a', 'C:\\a', '.git', '.git/hooks/pre-commit', 'sub/.git/config', '.GIT/x'].filter(
        (path) => inside(pattern, path),
      ),
    ).toEqual([]);
  }
  expect(inside('/**', '/etc/a')).toBe(true);
  expect(inside('/**', '/etc/.git/config')).toBe(false);
  expect(inside('../**', '../w.txt')).toBe(true);
  expect(inside('.git/**', '.git/hooks/pre-commit')).toBe(true);
  expect(inside('.git/**', 'sub/.git/config')).toBe(false);
  expect(inside('**/.git/config', 'sub/.git/config')).toBe(true);
  expect(matches('*', '.git/config') && matches('**', '/etc/a')).toBe(true);
});

test('letters of either case are the same where the file system says so', () => {
  const ignoring = compilePathPattern('*.ENV', { ignoresCase: true });

  expect(ignoring(normalizePath('A/prod.Env', { ignoresCase: true }))).toBe(true);
  expect(matches('*.ENV', 'prod.env')).toBe(false);
});

test('a home folder with a wildcard in its name stands for itself', () => {
  const pattern = compilePathPattern('~/x', { home: '/home/a*' });

  expect(pattern('/home/a*/x')).toBe(true);
  expect(pattern('/home/ann/x')).toBe(false);
});
