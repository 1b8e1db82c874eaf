import fc from 'fast-check';
import { expect, test } from 'vitest';
import { countLiterals, escapeWildcard, matchesWildcard, parseWildcard } from './wildcard.ts';

const matches = (pattern: string, text: string) => matchesWildcard(parseWildcard(pattern), text);
const matchesPath = (pattern: string, text: string) =>
  matchesWildcard(parseWildcard(pattern, { hasFolders: true }), text);

test('a star is any run of characters, slashes and line ends included, and a question mark is one character', () => {
  expect(matches('*', '')).toBe(true);
  expect(matches('git *', 'git push\n--all')).toBe(true);
  expect(matches('src/*.ts', 'src/a/b.ts')).toBe(true);
  expect(matches('a?c', 'abc')).toBe(true);
  expect(matches('a?c', 'ac')).toBe(false);
  expect(matches('a?c', 'a😀c')).toBe(true);
  expect(matches('?', '')).toBe(false);
  expect(matches('*a*b', 'xaybzb')).toBe(true);
  expect(matches('a', 'ab')).toBe(false);
});

test('two stars and a slash at the start of a part are any folders, or none', () => {
  expect(matchesPath('a/**/b', 'a/b')).toBe(true);
  expect(matchesPath('a/**/b', 'a/x/y/b')).toBe(true);
  expect(matchesPath('a/**/b', 'a/xb')).toBe(false);
  expect(matchesPath('**/b', 'b')).toBe(true);
  expect(matchesPath('**/b', '/x/b')).toBe(true);
  expect(matchesPath('**/b', 'xb')).toBe(false);
  expect(matchesPath('**/**/b', 'a/b')).toBe(true);
  expect(matchesPath('a**/b', 'a/b')).toBe(true);
});

test('a wildcard in brackets is the character itself, and other brackets are brackets', () => {
  expect(matches('rm [*].log', 'rm *.log')).toBe(true);
  expect(matches('rm [*].log', 'rm a.log')).toBe(false);
  expect(matches('[?][[]', '?[')).toBe(true);
  expect(matches('app/[id]/*', 'app/[id]/page.tsx')).toBe(true);
  expect(matches('[[...all]]', '[[...all]]')).toBe(true);
  expect(countLiterals(parseWildcard('rm [*].log*'))).toBe(8);
});

const alphabet = fc.constantFrom('a', 'b', '/', '*', '**/', '?', '[', ']', '[*]', '😀');
const patterns = fc.array(alphabet, { maxLength: 8 }).map((pieces) => pieces.join(''));
const texts = fc
  .array(fc.constantFrom('a', 'b', '/', 'a/', '*', '?', '[', ']', '😀'), { maxLength: 10 })
  .map((pieces) => pieces.join(''));

test('the matcher agrees with a slow one that tries everything [ACC-21]', () => {
  fc.assert(
    fc.property(patterns, texts, fc.boolean(), (pattern, text, hasFolders) => {
      const wildcard = parseWildcard(pattern, { hasFolders });
      expect(matchesWildcard(wildcard, text)).toBe(
        matchesSlowly(Array.from(pattern), Array.from(text), hasFolders, true),
      );
    }),
    { seed: 21, numRuns: 5_000 },
  );
});

test('an escaped text matches itself and nothing else', () => {
  fc.assert(
    fc.property(texts, texts, (text, other) => {
      expect(matches(escapeWildcard(text), text)).toBe(true);
      expect(matches(escapeWildcard(text), other)).toBe(text === other);
    }),
    { seed: 22, numRuns: 2_000 },
  );
});

test('a pattern made to be slow is still decided', () => {
  expect(matches(`${'*a'.repeat(300)}*b`, 'a'.repeat(5_000))).toBe(false);
  expect(matches(`${'a*?'.repeat(300)}b`, 'a'.repeat(5_000))).toBe(false);
});

/** Says the language again, as simply as it can be said. `isFirst`: whether a part of a path begins here. */
function matchesSlowly(pattern: string[], text: string[], hasFolders: boolean, isFirst: boolean): boolean {
  const [head, ...rest] = pattern;
  if (head === undefined) return text.length === 0;
  if (head === '*' && hasFolders && isFirst && rest[0] === '*' && rest[1] === '/') {
    const behind = rest.slice(2);
    const starts = [0, ...text.flatMap((char, at) => (char === '/' ? [at + 1] : []))];
    return starts.some((start) => matchesSlowly(behind, text.slice(start), hasFolders, true));
  }
  if (head === '*') return text.concat('').some((_, at) => matchesSlowly(rest, text.slice(at), hasFolders, false));
  const isEscaped = head === '[' && '*?['.includes(rest[0] ?? ' ') && rest[1] === ']';
  const wanted = isEscaped ? rest[0] : head;
  if (text.length === 0 || (head !== '?' && wanted !== text[0])) return false;
  const behind = isEscaped ? rest.slice(2) : rest;
  return matchesSlowly(behind, text.slice(1), hasFolders, head === '/');
}
