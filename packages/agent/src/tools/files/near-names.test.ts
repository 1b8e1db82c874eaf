import { expect, test } from 'vitest';
import { nearNames } from './near-names.ts';

test('another case, another ending, a slip and a piece of the name come in this order', () => {
  const names = ['user-service.test.ts', 'userservice.ts', 'User-Service.ts', 'user-service.js', 'zebra.ts'];

  expect(nearNames('user-service.ts', names, 4)).toEqual([
    'User-Service.ts',
    'user-service.js',
    'user-service.test.ts',
    'userservice.ts',
  ]);
});

test('what is not alike is not named', () => {
  expect(nearNames('config.json', ['zebra.ts', 'a', 'LICENSE'])).toEqual([]);
});

test('no more than asked for are named', () => {
  expect(nearNames('a1.ts', ['a2.ts', 'a3.ts', 'a4.ts', 'a5.ts'])).toEqual(['a2.ts', 'a3.ts', 'a4.ts']);
});
