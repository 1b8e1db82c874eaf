import fc from 'fast-check';
import { expect, test } from 'vitest';
import { titleOfWords } from './title-of-words.ts';

test('a session is called by the first line that was said', () => {
  expect(titleOfWords('  Mend the   build\nplease')).toBe('Mend the build');
  expect(titleOfWords('')).toBe('');
});

test('a long line is cut at a word', () => {
  const words = 'Please find out how many attempts were made before the mail was given up, and how many are wanted';
  expect(titleOfWords(words)).toBe('Please find out how many attempts were made before the mail was given up, and…');
  expect(titleOfWords(`${'a'.repeat(30)} ${'b'.repeat(48)} and more`)).toBe(`${'a'.repeat(30)} ${'b'.repeat(48)}…`);
});

test('what has no spaces is cut between its signs, never inside of one', () => {
  expect(titleOfWords('请'.repeat(100))).toBe(`${'请'.repeat(79)}…`);
  const family = '👨‍👩‍👧';
  expect(titleOfWords(family.repeat(30))).toBe(`${family.repeat(9)}…`);
});

test('whatever is said, a title is one line of at most 80 characters, and whole', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 400 }), (words) => {
      const title = titleOfWords(words);
      expect(title.length).toBeLessThanOrEqual(80);
      expect(title).not.toMatch(/[\r\n]/);
      expect(title.isWellFormed()).toBe(true);
    }),
  );
});
