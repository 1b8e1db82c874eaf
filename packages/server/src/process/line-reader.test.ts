import { rounds } from '@dragoman/testkit';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { LineReader } from './line-reader.ts';

test('lines are the same however the bytes are cut, also within a character', () => {
  fc.assert(
    fc.property(
      fc.array(fc.string({ unit: 'binary', maxLength: 8 })),
      fc.constantFrom('\n', '\r\n'),
      fc.array(fc.nat({ max: 5 })),
      (texts, end, cuts) => {
        const lines = texts.map((text) => text.replace(/[\r\n]/g, '')).filter((text) => text !== '');
        const read: string[] = [];
        const reader = new LineReader((line) => read.push(line));
        let rest = Buffer.from(lines.join(end));
        for (const cut of cuts) {
          reader.push(rest.subarray(0, cut));
          rest = rest.subarray(cut);
        }
        reader.push(rest);
        reader.end();

        expect(read).toEqual(lines.map((line) => Buffer.from(line).toString()));
      },
    ),
    { seed: 9, numRuns: rounds(10_000) },
  );
});

test('a line that is too long ends the reading, and is told once', () => {
  const read: string[] = [];
  const limits: number[] = [];
  const reader = new LineReader(
    (line) => read.push(line),
    (limit) => limits.push(limit),
    8,
  );

  reader.push(Buffer.from('short\nfar too '));
  reader.push(Buffer.from('long'));
  reader.push(Buffer.from('er\nnext\n'));
  reader.end();

  expect(read).toEqual(['short']);
  expect(limits).toEqual([8]);
});
