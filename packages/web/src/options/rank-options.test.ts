import { expect, test } from 'vitest';
import { rankOptions } from './rank-options.ts';

const options = [
  { id: 'a', text: 'Fix the login page' },
  { id: 'b', text: 'Login', about: 'Page' },
  { id: 'c', text: 'Settings', also: 'preferences options' },
  { id: 'd', text: '新会话', also: 'new session' },
];

function found(typed: string): string[] {
  return rankOptions(options, typed).map(({ id }) => id);
}

test('without words every option is there, in its order', () => {
  expect(found('  ')).toEqual(['a', 'b', 'c', 'd']);
});

test('every word has to be there, in any order; what begins with it comes first', () => {
  expect(found('login')).toEqual(['b', 'a']);
  expect(found('page fix')).toEqual(['a']);
  expect(found('login nowhere')).toEqual([]);
});

test('letters in order are enough, one letter is not, and words that are not shown count too', () => {
  expect(found('stgs')).toEqual(['c']);
  expect(found('prefer')).toEqual(['c']);
  expect(found('z')).toEqual([]);
});

test('words of other scripts are found too, and signs with a meaning elsewhere are letters', () => {
  expect(found('会话')).toEqual(['d']);
  expect(found('[a')).toEqual([]);
});
