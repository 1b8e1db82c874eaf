import { expect, test } from 'vitest';
import { IgnoreRules, parsePassages } from './ignore-rules.ts';
import { leavesOut } from './leaves-out.fixture.ts';

test.each([
  ['node_modules/', 'a/node_modules/', true],
  ['node_modules/', 'a/node_modules', false],
  ['dist', 'packages/x/dist', true],
  ['/dist', 'packages/dist', false],
  ['*.log', 'a/b/c.log', true],
  ['*.log\n!keep.log', 'a/keep.log', false],
  ['!keep.log\n*.log', 'a/keep.log', true],
  ['build/\n!build/keep.ts', 'build/keep.ts', true],
  ['build/*\n!build/keep.ts', 'build/keep.ts', false],
  ['a/**/z', 'a/z', true],
  ['a/**/z', 'a/b/c/z', true],
  ['a/**', 'a/', false],
  ['**/a/b', 'x/y/a/b', true],
  ['foo?', 'foo😀', true],
  ['[a-c]x', 'bx', true],
  ['[!a-c]x', 'bx', false],
  ['[[:digit:]]', '7', true],
  ['[z', '[z', false],
  ['\\!important', '!important', true],
  ['\\#1', '#1', true],
  ['# all\n\n   \n', 'all', false],
  ['spaces   ', 'spaces', true],
  ['space\\ ', 'space ', true],
  ['\uFEFFfirst\r\nsecond\r\n', 'second', true],
  ['\uFEFFfirst\r\n', 'first', true],
  ['**/x', 'line\nbreak/x', true],
  ['*', 'line\nbreak', true],
  ['/**\\//', 'a/', false],
])('SYNC-31 an ignore file %j says about %j: left out %s', (text, path, expected) => {
  expect(leavesOut(text, path)).toBe(expected);
});

test('the rule that decided is known by its text and line', () => {
  const rules = IgnoreRules.parse('# logs\n*.log\n!keep.log\n');

  expect(rules.match('a/x.log', 'x.log', false)).toEqual({ text: '*.log', line: 2, isNegative: false });
  expect(rules.match('a/keep.log', 'keep.log', false)).toEqual({ text: '!keep.log', line: 3, isNegative: true });
  expect(rules.match('a/x.txt', 'x.txt', false)).toBeUndefined();
});

test('rules that ignore case do so in names, paths and sets', () => {
  const rules = IgnoreRules.parse('*.PEM\nDocs/Old\n[A-C]?', true);

  expect(['a.pem', 'A.Pem'].map((name) => rules.match(name, name, false)?.line)).toEqual([1, 1]);
  expect(rules.match('docs/OLD', 'OLD', true)?.line).toBe(2);
  expect(rules.match('bZ', 'bZ', false)?.line).toBe(3);
});

test('a pattern with many stars is answered at once', () => {
  const rules = IgnoreRules.parse(`${'*a'.repeat(40)}b\n${'**/a*/'.repeat(20)}b`);

  expect(rules.match('a'.repeat(250), 'a'.repeat(250), false)).toBeUndefined();
  expect(rules.match('a/'.repeat(1_000) + 'c', 'c', false)).toBeUndefined();
});

test('the folders on the way to what is taken back are known, up to where they could be any', () => {
  const passages = parsePassages('build/\n!build/out/*.ts\n!gen/**/x.ts\n!anywhere.ts\nother/y');
  const leads = (path: string) => passages.match(path, path.split('/').at(-1)!, true) !== undefined;

  expect(['build', 'build/out', 'gen', 'gen/a', 'other', 'a'].map(leads)).toEqual([
    true,
    true,
    true,
    false,
    false,
    false,
  ]);
});
