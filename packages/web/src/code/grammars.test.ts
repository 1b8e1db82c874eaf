import { expect, test } from 'vitest';
import { grammarOf, languageOf } from './grammars.ts';

test('a file is coloured by the end of its name', () => {
  expect(
    ['src/a.tsx', 'a.mts', 'x/Makefile', 'conf/app.toml', 'README', 'a.b/c', 'C:\\a\\b.py'].map(languageOf),
  ).toEqual(['typescript', 'typescript', 'makefile', 'ini', undefined, undefined, 'python']);
});

test('a fence may call its language in other ways', () => {
  expect([grammarOf('TS '), grammarOf('jsonc'), grammarOf('')]).toEqual(['typescript', 'json', undefined]);
});
