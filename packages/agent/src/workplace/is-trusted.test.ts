import { expect, test, vi } from 'vitest';
import { isTrusted } from './is-trusted.ts';

test.each([
  ['/work/app', true],
  ['/work/app/', true],
  ['/work', true],
  ['/work/ap', false],
  ['~/app', false],
  ['*', true],
  ['.', false],
  ['./', false],
  ['', false],
])('the project /work/app is trusted where %o is named: %s', (named, expected) => {
  vi.spyOn(process, 'cwd').mockReturnValue('/work/app');

  expect(isTrusted('/work/app', [named], '/home/me')).toBe(expected);
  expect(isTrusted('/home/me/app', ['~/app'], '/home/me')).toBe(true);
});
