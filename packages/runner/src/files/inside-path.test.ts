import { mkdirSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { rounds, tempFolder } from '@dragoman/testkit';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { insidePath, isGitFolder, normalPath } from './inside-path.ts';

test('a path has one form, and what names another place by itself is refused', () => {
  expect(['', '.', './src//a.ts', 'src/', '..a/b..', '.github/x', 'a\nb', ' '].map(normalPath)).toEqual([
    '',
    '',
    'src/a.ts',
    'src',
    '..a/b..',
    '.github/x',
    'a\nb',
    ' ',
  ]);
  for (const path of ['..', '../a', 'a/../../b', 'a/..', '/', '/etc/passwd', '//a'])
    expect(() => normalPath(path)).toThrow(`"${path}" is outside the session's folder`);
  for (const path of ['.git', 'a/.git/config', '.GIT/x', '.git./x', '.g\u{200c}it/x', 'git~1/x'])
    expect(() => normalPath(path)).toThrow('belongs to Git and is not shown');
  expect(() => normalPath('a\0b')).toThrow('"a\u{fffd}b" has a NUL character in it');
});

test('whatever path is given, what comes out of it stays inside', () => {
  const piece = fc.oneof(fc.string(), fc.constantFrom('..', '.', '', '.git', '/', '\\', '~', 'a'));
  fc.assert(
    fc.property(fc.array(piece), (pieces) => {
      let path;
      try {
        path = normalPath(pieces.join('/'));
      } catch {
        return;
      }
      expect(`${join('/root', path)}/`.startsWith('/root/')).toBe(true);
      expect(path.split('/').some(isGitFolder)).toBe(false);
      expect(normalPath(path)).toBe(path);
    }),
    { numRuns: rounds(20_000) },
  );
});

test('a link is followed inside, and refused where it leads out', async () => {
  const base = realpathSync(tempFolder());
  const root = join(base, 'app');
  mkdirSync(join(root, 'src'), { recursive: true });
  mkdirSync(join(root, '.git'));
  mkdirSync(join(base, 'app-old'));
  writeFileSync(join(root, 'src', 'a.ts'), '');
  for (const [name, target] of [
    ['in', 'src'],
    ['out', '..'],
    ['beside', '../app-old'],
    ['git', '.git'],
    ['round', 'round'],
    ['dead', 'nowhere'],
  ] as const)
    symlinkSync(target, join(root, name));

  expect(await insidePath(root, 'in/a.ts')).toEqual({
    path: 'in/a.ts',
    real: join(root, 'src', 'a.ts'),
    realPath: 'src/a.ts',
  });
  expect((await insidePath(root, 'out/app/src')).realPath).toBe('src');
  for (const path of ['out', 'beside', 'out/app-old'])
    await expect(insidePath(root, path)).rejects.toMatchObject({ code: 'forbidden' });
  await expect(insidePath(root, 'git')).rejects.toThrow('"git" belongs to Git and is not shown');
  await expect(insidePath(root, 'round')).rejects.toThrow('round cannot be read (ELOOP)');
  await expect(insidePath(root, 'dead')).rejects.toMatchObject({ code: 'not-found', message: 'dead does not exist' });
  await expect(insidePath(root, 'x'.repeat(300))).rejects.toMatchObject({ code: 'bad-request' });
});
