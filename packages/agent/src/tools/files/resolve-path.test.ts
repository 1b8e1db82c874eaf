import { closeSync, mkdirSync, openSync, symlinkSync, unlinkSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { paths, project } from './project.fixture.ts';
import { isInFolders, pathBelow, pathSubjects, resolvePath } from './resolve-path.ts';

test('a relative path starts at the working folder and is judged from the project', () => {
  const { root, put, context } = project();
  put('packages/a/src/x.ts', '');
  const place = context({ cwd: join(root, 'packages/a') });

  expect(resolvePath(place, 'src/x.ts')).toEqual({
    named: join(root, 'packages/a/src/x.ts'),
    real: join(root, 'packages/a/src/x.ts'),
    shown: 'src/x.ts',
    title: 'packages/a/src/x.ts',
  });
  expect(pathSubjects(place, resolvePath(place, 'src/x.ts'))).toEqual(paths('packages/a/src/x.ts'));
  expect(pathSubjects(place, resolvePath(place, '../..'))).toEqual(paths('.'));
  expect(resolvePath(place, '../b.ts').shown).toBe(join(root, 'packages/b.ts'));
});

test('what is outside the project is absolute, with dots or without', () => {
  const { root, context } = project();
  const place = context();
  const outside = join(root, '../elsewhere.txt');

  expect(pathSubjects(place, resolvePath(place, '../elsewhere.txt'))).toEqual(paths(outside));
  expect(pathSubjects(place, resolvePath(place, outside))).toEqual(paths(outside));
  // A name that only begins like the project's folder is not in it.
  expect(pathSubjects(place, resolvePath(place, `${root}-2/a`))).toEqual(paths(`${root}-2/a`));
  expect(resolvePath(place, '~/x').named).toBe(join(homedir(), 'x'));
});

test('a symlink that leads out of the project counts as outside, under its name as well', () => {
  const outside = project({ 'secret.txt': 'x' });
  const { path, context } = project();
  symlinkSync(outside.root, path('link'));
  symlinkSync(outside.path('secret.txt'), path('file-link'));
  const subjects = (name: string) => pathSubjects(context(), resolvePath(context(), name));

  expect(subjects('link/secret.txt')).toEqual(paths(outside.path('secret.txt'), 'link/secret.txt'));
  expect(subjects('file-link')).toEqual(paths(outside.path('secret.txt'), 'file-link'));
  // Also where the file does not exist yet, and where the link dangles.
  expect(subjects('link/new/file.txt')).toEqual(paths(outside.path('new/file.txt'), 'link/new/file.txt'));
  symlinkSync(outside.path('not-yet.txt'), path('dangling'));
  expect(subjects('dangling')).toEqual(paths(outside.path('not-yet.txt'), 'dangling'));
});

test('a symlink inside the project is judged by both its names', () => {
  const { path, put, context } = project();
  put('config/env', 'KEY=1');
  symlinkSync('config/env', path('.env'));

  expect(pathSubjects(context(), resolvePath(context(), '.env'))).toEqual(paths('config/env', '.env'));
});

test('a project that is reached through a symlink is still itself', () => {
  const { root, path, context } = project({ 'real/a.ts': '' });
  symlinkSync('real', path('alias'));
  const place = context({ root: join(root, 'alias'), cwd: join(root, 'alias') });

  expect(pathSubjects(place, resolvePath(place, 'a.ts'))).toEqual(paths('a.ts'));
  expect(pathSubjects(place, resolvePath(place, path('real/new.ts')))).toEqual(paths('new.ts'));
});

test('what is no path is refused, and links that go round are too', () => {
  const { path, context } = project();
  symlinkSync('b', path('a'));
  symlinkSync('a', path('b'));

  expect(() => resolvePath(context(), '')).toThrow('"" is not a path.');
  expect(() => resolvePath(context(), 'a\0b')).toThrow('is not a path.');
  expect(() => resolvePath(context(), 'a')).toThrow('a goes round in symlinks that never end.');
});

test('below a folder means after a whole name', () => {
  expect(pathBelow('/', '/a/b')).toBe('a/b');
  expect(pathBelow('/a', '/ab')).toBeUndefined();
  expect(pathBelow('/a', '/a')).toBe('.');
});

test('a folder holds files also when it is named through a symlink', () => {
  const { path } = project();
  mkdirSync(path('spill'));
  symlinkSync('spill', path('alias'));

  expect(isInFolders(path('spill/1.txt'), [path('alias')])).toBe(true);
  expect(isInFolders(path('spill/1.txt'), [path('other'), path('missing')])).toBe(false);
});

test.skipIf(process.platform !== 'linux')(
  'what is there and has no path any more is where its link is (needs Linux)',
  () => {
    const { path, context } = project({ 'gone.txt': 'x' });
    const file = openSync(path('gone.txt'), 'r');
    onTestFinished(() => closeSync(file));
    unlinkSync(path('gone.txt'));

    expect(resolvePath(context(), `/dev/fd/${file}`).real).toBe(`/proc/${process.pid}/fd/${file}`);
  },
);
