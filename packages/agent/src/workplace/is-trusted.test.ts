import { join } from 'node:path';
import { expect, test } from 'vitest';
import { isTrusted } from './is-trusted.ts';

test.each([
  ['/work/app', true],
  ['/work/app/', true],
  ['/work', true],
  ['/work/ap', false],
  ['~/app', false],
  ['*', true],
])('the project /work/app is trusted where %o is named: %s', (named, expected) => {
  expect(isTrusted('/work/app', [named], '/home/me')).toBe(expected);
});

test('a folder of the person is named from their home folder on', () => {
  expect(isTrusted('/home/me/app', ['~/app'], '/home/me')).toBe(true);
});

test.each(['.', './', '', 'app'])('%o does not name the folder we happen to be started in', (named) => {
  expect(isTrusted(join(process.cwd(), 'app'), [named], '/home/me')).toBe(false);
});
