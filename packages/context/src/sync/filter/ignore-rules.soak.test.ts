import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { rounds } from '@dragoman/testkit';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { git } from './git.fixture.ts';
import { leavesOut } from './leaves-out.fixture.ts';
import { tempTree } from './tree.fixture.ts';

const PATHS = [
  'a',
  'b',
  'ab',
  '*',
  '[a',
  '!a',
  '#a',
  'a b',
  'a ',
  'd/',
  'd/a',
  'd/ab',
  'd/a.b',
  'd/d/',
  'd/d/b',
].concat(['x.b', 'e/', 'e/d/', 'e/d/a', 'e/d/x.b', 'ad/', 'ad/d/', 'ad/d/b']);
const piece = fc.constantFrom(
  'a',
  'b',
  'd',
  'e',
  '*',
  '**',
  '***',
  '?',
  '/',
  '/',
  '[ab]',
  '[!a]',
  '[^b]',
  '[a-d]',
  '[]a]',
  '[[:alpha:]]',
  '[z-a]',
  '[[:digit:]]',
  '\\a',
  '\\*',
  '\\/',
  '!',
  '#',
  ' ',
  '\\ ',
  '.b',
  '*.b',
  '[',
  '[a-',
  '[[:x:]]',
  '\\',
  '[/]',
  '**/',
  '/**',
);
const line = fc.array(piece, { minLength: 1, maxLength: 6 }).map((pieces) => pieces.join(''));

test('SYNC-31 whatever the lines are, they leave out what git leaves out', () => {
  const files = Object.fromEntries(PATHS.map((path) => [path, '']));
  const root = tempTree(files);
  git(root, ['init', '-q']);

  fc.assert(
    fc.property(fc.array(line, { minLength: 1, maxLength: 4 }), (lines) => {
      const text = lines.join('\n');
      writeFileSync(join(root, '.git/info/exclude'), text);
      const asked = PATHS.map((path) => path.replace(/\/$/, ''));
      const ignored = new Set(git(root, ['check-ignore', '--no-index', '-z', '--stdin'], asked.join('\0')).split('\0'));

      const ours = PATHS.filter((path) => leavesOut(text, path));

      expect(ours).toEqual(PATHS.filter((path) => ignored.has(path.replace(/\/$/, ''))));
    }),
    { seed: 31, numRuns: rounds(5_000) },
  );
});
