import { expect, test } from 'vitest';
import { answerPlaces } from './answer-places.ts';

const CONTENTS = new Map([
  ['b1', { path: 'src/a.ts', text: 'one\r\ntwo\r\nthree\r\n' }],
  ['b2', { path: 'config.py', text: 'password = "hunter2!x"\nuser = "ann"\n' }],
]);

test('places come in the order of the hits, with their lines, and without what looks like a secret', () => {
  expect(
    answerPlaces(
      [
        { blobName: 'b2', path: 'config.py', start: 1, end: 2, score: 9 },
        { blobName: 'b1', path: 'src/a.ts', start: 2, end: 3, symbol: 'two', score: 5 },
        { blobName: 'b1', path: 'src/a.ts', start: 1, end: 1, score: 4 },
      ],
      CONTENTS,
    ),
  ).toEqual([
    { path: 'config.py', start: 1, end: 2, score: 9, text: 'password = "[PASSWORD_REDACTED]"\nuser = "ann"' },
    { path: 'src/a.ts', start: 2, end: 3, symbol: 'two', score: 5, text: 'two\nthree' },
    { path: 'src/a.ts', start: 1, end: 1, score: 4, text: 'one' },
  ]);
});

test('a hit without its blob is passed over, and one beyond the end of its file is brought back into it', () => {
  expect(
    answerPlaces(
      [
        { blobName: 'gone', path: 'gone.ts', start: 1, end: 2, score: 9 },
        { blobName: 'b1', path: 'src/a.ts', start: 3, end: 50, score: 5 },
        { blobName: 'b1', path: 'src/a.ts', start: 40, end: 50, score: 4 },
        { blobName: 'b1', path: 'src/a.ts', start: -3, end: 0, score: 3 },
      ],
      CONTENTS,
    ).map(({ start, end, text }) => ({ start, end, text })),
  ).toEqual([
    { start: 3, end: 3, text: 'three' },
    { start: 3, end: 3, text: 'three' },
    { start: 1, end: 1, text: 'one' },
  ]);
});
