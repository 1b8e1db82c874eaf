import { expect, test } from 'vitest';
import { readPlaces } from './read-places.ts';

const ANSWER = `The following code sections were retrieved:
Path: src/b.ts
    41\tfunction b() {
    42\t\treturn 1;
...
    60\t}
... lines 61-90 are left out
Path: src/a.ts
     7\tconst a = 1;
`;

test('an answer of the code search is read as places with their lines', () => {
  expect(readPlaces(ANSWER)).toEqual([
    { path: 'src/b.ts', startLine: 41, endLine: 42, text: 'function b() {\n\treturn 1;' },
    { path: 'src/b.ts', startLine: 60, endLine: 60, text: '}' },
    { path: 'src/a.ts', startLine: 7, endLine: 7, text: 'const a = 1;' },
  ]);
  expect(readPlaces(`${ANSWER}…`)).toHaveLength(3);
});

test('one that is still being written has the places that are there', () => {
  expect(readPlaces(ANSWER.slice(0, ANSWER.indexOf('...\n')))).toHaveLength(1);
  expect(readPlaces(`${ANSWER.slice(0, ANSWER.indexOf('Path: src/a'))}Pat`)).toHaveLength(2);
});

test('another text is none', () => {
  expect(readPlaces('Path: src/a.ts\n 7\ta')).toBeUndefined();
  expect(readPlaces('The following code sections were retrieved:\n')).toBeUndefined();
  expect(readPlaces(`${ANSWER}and some words`)).toBeUndefined();
});
