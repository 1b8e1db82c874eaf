import fc from 'fast-check';
import { matchesGlob } from 'node:path';
import { expect, test } from 'vitest';
import { parseGlob } from './glob-pattern.ts';

const PATHS = [
  'a.ts',
  'b.js',
  'src/a.ts',
  'src/b.tsx',
  'src/x/c.ts',
  'src/x/.d.ts',
  'docs/[1].md',
  'a,b',
  'src/x/ü.ts',
];

/** Which of the paths are meant, seen from where the search stands. */
function meant(pattern: string): string[] {
  const { base, matches } = parseGlob(pattern);
  return PATHS.filter((path) => {
    if (base === '') return matches(path);
    return path.startsWith(`${base}/`) && matches(path.slice(base.length + 1));
  });
}

test.each([
  ['*.ts', ['a.ts', 'src/a.ts', 'src/x/c.ts', 'src/x/.d.ts', 'src/x/ü.ts']],
  ['src/*.ts', ['src/a.ts']],
  ['./src/*.ts', ['src/a.ts']],
  ['**/*.ts', ['a.ts', 'src/a.ts', 'src/x/c.ts', 'src/x/.d.ts', 'src/x/ü.ts']],
  ['src/**', ['src/a.ts', 'src/b.tsx', 'src/x/c.ts', 'src/x/.d.ts', 'src/x/ü.ts']],
  ['src/', ['src/a.ts', 'src/b.tsx', 'src/x/c.ts', 'src/x/.d.ts', 'src/x/ü.ts']],
  ['src/**/c.ts', ['src/x/c.ts']],
  ['src/**/a.ts', ['src/a.ts']],
  ['*.{ts,tsx}', ['a.ts', 'src/a.ts', 'src/b.tsx', 'src/x/c.ts', 'src/x/.d.ts', 'src/x/ü.ts']],
  ['{src,docs}/*', ['src/a.ts', 'src/b.tsx', 'docs/[1].md']],
  ['{src/x,docs}/**', ['src/x/c.ts', 'src/x/.d.ts', 'docs/[1].md', 'src/x/ü.ts']],
  ['?.ts', ['a.ts', 'src/a.ts', 'src/x/c.ts', 'src/x/ü.ts']],
  ['[a-b].[!j]*', ['a.ts', 'src/a.ts', 'src/b.tsx']],
  ['docs/\\[1\\].md', ['docs/[1].md']],
  ['a{,.ts}', ['a.ts', 'src/a.ts']],
  ['a,b', ['a,b']],
  ['a.ts', ['a.ts', 'src/a.ts']],
  ['src/x/c.ts', ['src/x/c.ts']],
  ['[1.md', []],
  ['{a', []],
  ['!*.ts', ['b.js', 'src/b.tsx', 'docs/[1].md', 'a,b']],
])('%s means %j', (pattern, expected) => {
  expect(meant(pattern)).toEqual(expected);
});

test('what stands before the first wildcard is where the search begins', () => {
  expect(parseGlob('src/x/*.ts').base).toBe('src/x');
  expect(parseGlob('../other/**/a.ts').base).toBe('../other');
  expect(parseGlob('/abs/src/*.ts').base).toBe('/abs/src');
  expect(parseGlob('/*.ts').base).toBe('/');
  expect(parseGlob('*.ts').base).toBe('');
});

test('a name is told to ripgrep only where it reads it as we do', () => {
  expect(parseGlob('src/**/*.{ts,tsx}').name).toBe('*.{ts,tsx}');
  for (const pattern of ['src/**', 'a?.ts', '[a].ts', 'a{,b}', '!a', 'a:b', '{a', 'a\\*'])
    expect(parseGlob(pattern).name).toBeUndefined();
});

test('a set that makes no sense is refused', () => {
  expect(() => parseGlob('[z-a].ts')).toThrow('"[z-a].ts" is not a pattern for paths');
});

test('patterns of stars, names and folders mean what Node means by them', () => {
  const part = fc.constantFrom('a', 'b', '*', '**', 'a*', '*b', '?');
  const name = fc.constantFrom('a', 'b', 'ab', 'aab', 'ba');
  fc.assert(
    fc.property(
      fc.array(part, { minLength: 2, maxLength: 4 }),
      fc.array(name, { minLength: 1, maxLength: 4 }),
      (parts, names) => {
        const path = names.join('/');
        // At the end, `**` also means the folder itself for Node; a search only meets files.
        fc.pre(parts.at(-1) !== '**');
        const pattern = parts.join('/');
        const { base, matches } = parseGlob(pattern);
        const isMeant =
          base === '' ? matches(path) : path.startsWith(`${base}/`) && matches(path.slice(base.length + 1));
        expect(isMeant).toBe(matchesGlob(path, pattern));
      },
    ),
    { seed: 4, numRuns: 400 },
  );
});
