import { expect, test } from 'vitest';
import { answerPlaces as answerInTurns } from './answer-places.ts';
import { toEnd } from './to-end.fixture.ts';

const answerPlaces = (...asked: Parameters<typeof answerInTurns>) =>
  toEnd(answerInTurns(...asked)).result.map(({ place }) => place);

const BLOBS = new Map([
  ['b1', { path: 'src/a.ts', bytes: Buffer.from('one\r\ntwo\r\nthree\r\n') }],
  ['b2', { path: 'config.py', bytes: Buffer.from('password = "hunter2!x"\nuser = "ann"\n') }],
]);

test('places come in the order of the hits, with their lines, and without what looks like a secret', () => {
  expect(
    answerPlaces(
      [
        { blobName: 'b2', path: 'config.py', start: 1, end: 2, score: 9 },
        { blobName: 'b1', path: 'src/a.ts', start: 2, end: 3, symbol: 'two', score: 5 },
        { blobName: 'b1', path: 'src/a.ts', start: 1, end: 1, score: 4 },
      ],
      BLOBS,
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
      BLOBS,
    ).map(({ start, end, text }) => ({ start, end, text })),
  ).toEqual([
    { start: 3, end: 3, text: 'three' },
    { start: 3, end: 3, text: 'three' },
    { start: 1, end: 1, text: 'one' },
  ]);
});

test('the text of a place has at most 20,000 characters: whole lines, or the beginning of a single long one', () => {
  const textOf = (text: string) =>
    answerPlaces(
      [{ blobName: 'b', path: 'a.js', start: 1, end: 300, score: 1 }],
      new Map([['b', { path: 'a.js', bytes: Buffer.from(text) }]]),
    )[0]!.text;
  const line = 'x'.repeat(99);

  expect(textOf(Array<string>(200).fill(line).join('\n'))).toBe(Array<string>(200).fill(line).join('\n'));
  expect(textOf(Array<string>(250).fill(line).join('\n'))).toBe(Array<string>(200).fill(line).join('\n'));
  expect(textOf(`${line}${Array<string>(250).fill(line).join('\n')}`)).toBe(
    `${line}${Array<string>(199).fill(line).join('\n')}`,
  );
  expect(textOf('y'.repeat(50_000))).toBe('y'.repeat(20_000));
  expect(textOf(`${'y'.repeat(19_999)}😀😀`)).toBe('y'.repeat(19_999));
  expect(textOf(`${'y '.repeat(9_990)}password = "hunter2!x-${'1'.repeat(100)}"`)).not.toContain('hunter2');
});

test('a value whose name stands above the place is a secret there too, and so is the middle of a long private key', () => {
  const key = `-----BEGIN ${''}PRIVATE KEY-----\n${`${'aB3'.repeat(20)}\n`.repeat(200)}-----END ${''}PRIVATE KEY-----`;
  const textOf = (text: string, line: number) =>
    answerPlaces(
      [{ blobName: 'b', path: 'a.yml', start: line, end: line, score: 1 }],
      new Map([['b', { path: 'a.yml', bytes: Buffer.from(text) }]]),
    )[0]!.text;

  expect(textOf('- name: DB_PASSWORD\n  value: tr0ub4dor\n', 2)).toBe('  value: [PASSWORD_REDACTED]');
  expect(textOf(`a: |\n${key}\n`, 150)).toBe('[PRIVATE_KEY_REDACTED]');
});
