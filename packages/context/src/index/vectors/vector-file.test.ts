import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readVectorFile, writeVectorFile } from './vector-file.ts';

const anyVectors = fc
  .record({
    words: fc.array(
      fc.string({ unit: 'grapheme' }).map((word) => word.replaceAll('\n', '')),
      { minLength: 1, maxLength: 6 },
    ),
    blocks: fc.integer({ min: 1, max: 3 }),
  })
  .chain(({ words, blocks }) => {
    const rows = words.length;
    const numbers = { minLength: rows * blocks * 32, maxLength: rows * blocks * 32 };
    const scales = fc.float32Array({ minLength: rows, maxLength: rows, noNaN: true });
    return fc.record({
      words: fc.constant(words),
      dimensions: fc.constant(blocks * 32),
      table: fc.int8Array(numbers),
      askScales: scales,
      sayScales: scales,
    });
  });

const SMALL = {
  words: ['login', '登录'],
  dimensions: 32,
  table: Int8Array.from({ length: 64 }, (_, index) => index - 32),
  askScales: Float32Array.of(0.5, 2),
  sayScales: Float32Array.of(0.25, 1),
};

test('what is written is read, wherever it lies in memory', () => {
  fc.assert(
    fc.property(anyVectors, fc.nat(7), (vectors, shift) => {
      const file = writeVectorFile(vectors);
      const shifted = Buffer.concat([Buffer.alloc(shift), file]).subarray(shift);

      expect(readVectorFile(shifted)).toEqual({ ...vectors, sum: file.readUInt32LE(file.length - 4) });
    }),
  );
});

test('damage is noticed, whichever byte it befalls', () => {
  fc.assert(
    fc.property(anyVectors, fc.nat(), fc.integer({ min: 1, max: 255 }), (vectors, place, change) => {
      const file = writeVectorFile(vectors);
      file[place % file.length]! ^= change;

      expect(() => readVectorFile(file)).toThrow(/not a file of word vectors|of version|of \d+ bytes|damaged/);
    }),
    { numRuns: 400 },
  );
});

test('a file that was cut short anywhere is refused', () => {
  const file = writeVectorFile(SMALL);
  for (let length = 0; length < file.length; length++)
    expect(() => readVectorFile(file.subarray(0, length))).toThrow(/not a file of word vectors|of \d+ bytes/);
});

test('what is wrong with a file is said', () => {
  const changed = (at: number, value: number) => {
    const file = writeVectorFile(SMALL);
    file.writeUInt32LE(value, at);
    return file;
  };

  expect(() => readVectorFile(Buffer.from('a text that is long enough to have a header'))).toThrow(
    'this is not a file of word vectors',
  );
  expect(() => readVectorFile(changed(4, 2))).toThrow('word vectors of version 2; this program reads version 1');
  // 20 of the header, 12 of words, 16 of scales, 64 of the table, 4 of the sum.
  expect(() => readVectorFile(changed(8, 3))).toThrow('word vectors of 116 bytes; their header says 156');
  expect(() => readVectorFile(changed(12, 64))).toThrow('word vectors of 116 bytes; their header says 180');
  expect(() => readVectorFile(changed(20, 0x61616161))).toThrow('the word vectors are damaged: their sum is wrong');
});

test('what would not be read is not written', () => {
  expect(() => writeVectorFile({ ...SMALL, dimensions: 48 })).toThrow('48 dimensions: expected a multiple of 32');
  expect(() => writeVectorFile({ ...SMALL, dimensions: 0 })).toThrow('0 dimensions: expected a multiple of 32');
  expect(() => writeVectorFile({ ...SMALL, dimensions: 64 })).toThrow(
    '2 words need a table of 128 numbers and 2 scales for each side',
  );
  expect(() => writeVectorFile({ ...SMALL, askScales: new Float32Array(3) })).toThrow(
    '2 words need a table of 64 numbers and 2 scales for each side',
  );
  expect(() => writeVectorFile({ ...SMALL, words: ['log\nin', '登录'] })).toThrow(
    'words stand one to a line: one or more, without line breaks',
  );
});
