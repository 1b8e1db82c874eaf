import { expect, test } from 'vitest';
import { hideValues } from './hide-values.ts';

test('a value is hidden as it is, in an address, in a form, in JSON, in HTML and decoded; a short one is a word', () => {
  const value = 'a/b "c"&d';

  for (const repeated of [
    value,
    'a%2Fb%20%22c%22%26d',
    'a%2fb%20%22c%22%26d',
    'a%2Fb+%22c%22%26d',
    'a/b \\"c\\"&d',
    'a/b &quot;c&quot;&amp;d',
  ])
    expect(hideValues(`it said ${repeated}.`, [value], '*')).toBe('it said *.');
  expect(hideValues('it said pass word.', ['pass%20word'], '*')).toBe('it said *.');
  expect(hideValues('it is true', ['true', ''], '*')).toBe('it is true');
});

test('of two values the longer one is hidden first', () => {
  expect(hideValues('secret-value-2', ['secret-value', 'secret-value-2'], '*')).toBe('*');
});
