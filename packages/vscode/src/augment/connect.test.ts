import { beforeEach, expect, test } from 'vitest';
import { freshEditor } from '../vscode.fixture.ts';
import { augmentFields } from './connect.ts';

beforeEach(() => void freshEditor());

test('EDITOR-01 the address is one that resolves everywhere and ends in a slash', () => {
  const of = (url: string) => augmentFields({ url, token: 'TOKEN234' }).completionURL;
  expect(
    ['http://127.0.0.1:4800', 'http://127.0.0.1:4800/', 'http://localhost:4800', 'https://localhost.example/x//'].map(
      of,
    ),
  ).toEqual([
    'http://127.0.0.1:4800/',
    'http://127.0.0.1:4800/',
    'http://127.0.0.1:4800/',
    'https://localhost.example/x/',
  ]);
});

test('a token that would change when it is put in capitals is refused', () => {
  expect(() => augmentFields({ url: 'http://127.0.0.1:1', token: 'TOKEN-a' })).toThrow('with lowercase letters');
});
