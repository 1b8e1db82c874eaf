import { mkdirSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { tempFolder } from '@dragoman/testkit';
import { expect, test } from 'vitest';
import { isInside, namedFolder, workspaceRoot } from './choose-folder.ts';

function realTempFolder(): string {
  return realpathSync(tempFolder());
}

test('a folder is named by any path to it, and is known by its real one', () => {
  const folder = realTempFolder();
  symlinkSync(folder, join(folder, 'link'));

  expect(namedFolder(join(folder, 'link'))).toBe(folder);
  expect(() => namedFolder(join(folder, 'nothing'))).toThrow(`${join(folder, 'nothing')} is not a folder.`);
  writeFileSync(join(folder, 'file'), '');
  expect(() => namedFolder(join(folder, 'file'))).toThrow('is not a folder.');
});

test('the home folder and the whole disk are taken when a person names them, and not otherwise', () => {
  const home = realpathSync(homedir());

  expect(namedFolder(home)).toBe(home);
  expect(() => namedFolder(home, false)).toThrow(`This is ${home}, which is not a single project.`);
  expect(() => namedFolder('/', false)).toThrow('This is /, which is not a single project.');
});

test('a folder belongs to the nearest workspace around it, else to its git repository, else to itself', () => {
  const root = realTempFolder();
  const inner = join(root, 'repository', 'packages', 'one');
  mkdirSync(inner, { recursive: true });
  mkdirSync(join(root, 'repository', '.git'));

  expect(workspaceRoot(inner, [])).toBe(join(root, 'repository'));
  expect(workspaceRoot(inner, [{ root }, { root: join(root, 'repository', 'packages') }])).toBe(
    join(root, 'repository', 'packages'),
  );
  expect(workspaceRoot(inner, [{ root: `${inner}-more` }])).toBe(join(root, 'repository'));
  expect(workspaceRoot(root, [])).toBe(root);
});

test('a name that begins with two dots is inside, and the folder above is not', () => {
  expect(isInside('/a/..b', '/a')).toBe(true);
  expect(isInside('/a', '/a')).toBe(true);
  expect(isInside('/', '/a')).toBe(false);
  expect(isInside('/ab', '/a')).toBe(false);
});
