import { expect, test } from 'vitest';
import { foldersDown, isBelow } from './folders-down.ts';

test('folders are named from the project down, and alone where they are not below it', () => {
  expect(foldersDown('/a/b', '/a/b/c/d')).toEqual(['/a/b', '/a/b/c', '/a/b/c/d']);
  expect(foldersDown('/a/b', '/a/b')).toEqual(['/a/b']);
  expect(foldersDown('/a/b', '/a/b/..c')).toEqual(['/a/b', '/a/b/..c']);
  expect(foldersDown('/a/b', '/a/bc')).toEqual(['/a/bc']);
  expect(foldersDown('/', '/a')).toEqual(['/', '/a']);
});

test('a path is below a folder when it is the folder or lies in it', () => {
  expect(isBelow('/a', '/a')).toBe(true);
  expect(isBelow('/a', '/a/b')).toBe(true);
  expect(isBelow('/a', '/ab')).toBe(false);
  expect(isBelow('/a/b', '/a')).toBe(false);
  expect(isBelow('/a/b', '/a/c')).toBe(false);
});
