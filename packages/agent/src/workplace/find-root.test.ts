import { mkdirSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { tempFolder } from '@dragoman/testkit';
import { expect, test } from 'vitest';
import { findRoot } from './find-root.ts';

test('the project is the nearest folder with a mark, and without one the folder itself', () => {
  const base = realpathSync(tempFolder());
  const at = (...names: string[]) => join(base, ...names);
  for (const folder of ['plain/deep', 'app/.git', 'app/src', 'app/part/.dragoman', 'app/part/deep'])
    mkdirSync(at(folder), { recursive: true });

  expect(findRoot(at('plain/deep'))).toBe(at('plain/deep'));
  expect(findRoot(at('app/src'))).toBe(at('app'));
  expect(findRoot(at('app/part/deep'))).toBe(at('app/part'));
});

test('a home folder with a mark is a project only to whoever works in it', () => {
  const home = realpathSync(tempFolder());
  mkdirSync(join(home, '.git'));
  mkdirSync(join(home, 'notes'));

  expect(findRoot(join(home, 'notes'), home)).toBe(join(home, 'notes'));
  expect(findRoot(home, home)).toBe(home);
});
