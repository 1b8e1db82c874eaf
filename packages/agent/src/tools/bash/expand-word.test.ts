import { tempFolder } from '@dragoman/testkit';
import fc from 'fast-check';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { pathTexts } from './expand-word.ts';
import { plainWord } from './shell-word.ts';

const texts = (text: string, folder = '/nowhere') =>
  pathTexts({ pieces: [{ kind: 'bare', text }] }, '/nowhere/ann', folder);

test('braces and file patterns are filled in as the shell would do it', () => {
  const folder = tempFolder();
  for (const name of ['.env', '.npmrc', 'a.ts', 'b.ts', 'c{d}.ts']) writeFileSync(join(folder, name), '');

  expect(texts('x{a,{b,c}}y').toSorted()).toEqual(['xay', 'xby', 'xcy']);
  expect(texts('{a}')).toEqual(['{a}']);
  expect(texts('.[a-en]*', folder).toSorted()).toEqual(['.env', '.npmrc']);
  expect(texts('.[!e]*', folder)).toEqual(['.npmrc']);
  expect(texts('?.ts', folder).toSorted()).toEqual(['a.ts', 'b.ts']);
  expect(texts('*v', folder)).toEqual([]);
  expect(texts('c{d}*', folder)).toEqual(['c{d}.ts']);
  expect(texts(`${folder}/a*`)).toEqual([`${folder}/a.ts`]);
  expect(texts('.*e*n*v*', folder)).toContain('.env');
});

test('what stands behind a sign in a word is a path too, and a quoted sign is itself', () => {
  expect(texts('--file=~/x')).toContain('/nowhere/ann/x');
  expect(texts('HEAD:a,b')).toEqual(['HEAD:a,b', 'HEAD', 'a', 'b']);
  expect(texts('https://example.com/.env')).toEqual([]);
  expect(pathTexts(plainWord('*.ts'), '/nowhere/ann', '/nowhere')).toEqual(['*.ts']);
});

test('any word is gone through, however strange, and a quoted one names itself', () => {
  const signs = ['a', '.', '/', '*', '?', '[', ']', '{', '}', '\\', '(', '!'];
  const strange = fc
    .array(fc.constantFrom('a', '.', '/', '*', '?', '[', ']', '{', '}', ',', '\\', '(', '@', '!', '~', '-', '\0'), {
      maxLength: 20,
    })
    .map((pieces) => pieces.join(''));
  fc.assert(
    fc.property(strange, (text) => {
      expect(texts(text)).toBeInstanceOf(Array);
    }),
    { seed: 7, numRuns: 2_000 },
  );
  fc.assert(
    fc.property(fc.array(fc.constantFrom(...signs), { minLength: 1, maxLength: 20 }), (pieces) => {
      expect(pathTexts(plainWord(pieces.join('')), '/nowhere/ann', '/nowhere')).toContain(pieces.join(''));
    }),
    { seed: 8, numRuns: 2_000 },
  );
  expect(texts(`{${','.repeat(50_000)}`)).toContain('{');
  expect(texts(`${'{'.repeat(20_000)}a`)).toHaveLength(1);
  expect(texts(`{${Array.from({ length: 2_000 }, (_, index) => index).join(',')},.env}`)).toContain('.env');
  expect(texts(`{a,b}`.repeat(15) + ',.env')).toContain('.env');
});
