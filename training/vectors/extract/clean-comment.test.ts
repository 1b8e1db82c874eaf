import { expect, test } from 'vitest';
import { cleanComment, isWordy } from './clean-comment.ts';

function clean(text: string): string {
  return cleanComment(text.split('\n'));
}

test.each([
  ['/** Drops the oldest entry. */', 'Drops the oldest entry.'],
  ['/**\n * Drops the oldest entry.\n */', 'Drops the oldest entry.'],
  ['// Drops the oldest\n// entry.', 'Drops the oldest entry.'],
  ['/// Drops the oldest entry.', 'Drops the oldest entry.'],
  ['//! Drops the oldest entry.', 'Drops the oldest entry.'],
  ['# Drops the oldest entry.', 'Drops the oldest entry.'],
  ['-- | Drops the oldest entry.', 'Drops the oldest entry.'],
  ['"""Drops the oldest entry."""', 'Drops the oldest entry.'],
  ['<!-- Drops the oldest entry. -->', 'Drops the oldest entry.'],
])('the marks of a comment are no part of what it says: %j', (text, said) => {
  expect(clean(text)).toBe(said);
});

test('tags end a comment, but a return value counts where nothing else is said', () => {
  expect(clean('/**\n * Reads a header.\n * @param name of it\n * @returns its value\n */')).toBe('Reads a header.');
  expect(clean('/**\n * @returns {string} the value of a header\n */')).toBe('returns the value of a header');
  expect(clean('/**\n * @brief Reads one header of the answer.\n * @param name of it\n */')).toBe(
    'Reads one header of the answer.',
  );
});

test('sections and examples end a comment', () => {
  expect(clean('"""Reads a header.\n\nArgs:\n    name: of it\n"""')).toBe('Reads a header.');
  expect(clean('/// Reads a header.\n///\n/// # Examples\n///\n/// ```\n/// read("a")\n/// ```')).toBe(
    'Reads a header.',
  );
  expect(clean('/**\n * 读取请求头。\n * 参数：\n * name\n */')).toBe('读取请求头。');
});

test('links and markup are read as their text', () => {
  expect(clean('// Reads {@link Header headers} from <b>the answer</b>.')).toBe(
    'Reads Header headers from  the answer .',
  );
  expect(clean('// See [the manual](https://example.org/a) or https://example.org/b for more.')).toBe(
    'See the manual or   for more.',
  );
});

test.each([
  '// Copyright (c) 2020 Somebody',
  '// Licensed under the Apache License',
  '/* eslint-disable no-console */',
  '# noqa: E501',
  '// @ts-expect-error the types are wrong',
  '// SPDX-License-Identifier: MIT',
  '// 版权所有',
])('what says nothing of the code is nothing: %s', (text) => {
  expect(clean(text)).toBe('');
});

test('of a long comment two sentences count, of very long ones the first', () => {
  const first = 'Takes the values that were asked for most recently and keeps them.';
  const second = 'Others are dropped, the oldest of them first.';
  const third = 'Whoever wants to keep everything should not use a cache at all but a table.';
  expect(clean(`// ${first} ${second} ${third}`)).toBe(`${first} ${second}`);
  const long =
    'Takes the values that were asked for most recently, however large they are, and keeps them until there is no room.';
  expect(clean(`// ${long} ${second} ${third}`)).toBe(long);
});

test('an empty line ends a comment that has said something', () => {
  expect(clean('/**\n * Drops the entry that was used least recently.\n *\n * It was slow before.\n */')).toBe(
    'Drops the entry that was used least recently.',
  );
});

test.each([
  ['drops entries', true],
  ['entry', false],
  ['a b', false],
  ['evictOldest()', false],
  ['刷新令牌', true],
  ['刷新', false],
])('two English words or four Chinese characters say something: %s is %s', (text, expected) => {
  expect(isWordy(text)).toBe(expected);
});
