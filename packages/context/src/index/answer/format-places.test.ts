import { expect, test } from 'vitest';
import { formatPlaces } from './format-places.ts';

test('places are written like an answer, each under its path with the numbers of its file', () => {
  const places = [
    { path: 'src/b.ts', start: 41, end: 42, score: 2, symbol: 'b', text: 'function b() {\n}' },
    { path: 'src/a.ts', start: 7, end: 7, score: 1, text: 'const a = 1;' },
  ];

  expect(formatPlaces(places, 1_000)).toBe(
    `The following code sections were retrieved:
Path: src/b.ts
    41\tfunction b() {
    42\t}
Path: src/a.ts
     7\tconst a = 1;
`,
  );
  expect(formatPlaces(places, 110)).toBe(
    `The following code sections were retrieved:
Path: src/b.ts
    41\tfunction b() {
    42\t}
`,
  );
});
