import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readableOutput } from './readable-output.ts';

const read = (text: string) => readableOutput(Buffer.from(text));

test('colours, titles and lines that were written over leave their last state [FR-32]', () => {
  expect(read('\u001b[31mred\u001b[0m \u001b]0;title\u0007text \u001b(Bplain')).toBe('red text plain');
  expect(read('10%\r50%\r100%\nnext\r\n\rlast\r')).toBe('100%\nnext\nlast');
});

test('a line without an end, and one that is written over without end, are read at once [FR-32]', () => {
  const many = 1_000_000;
  expect(read('x'.repeat(many))).toBe('x'.repeat(many));
  expect(read(`${'\r'.repeat(many)}x`)).toBe('x');
  expect(read('x\r'.repeat(many))).toBe('x');
});

test('control characters become visible, and bytes that are no text their mark [FR-32]', () => {
  expect(read('a.txt\0b.txt\0')).toBe('a.txt␀b.txt␀');
  expect(read('bell\u0007 delete\u007f next\u0085')).toBe('bell␇ delete␡ next\ufffd');
  expect(readableOutput(Buffer.from([0x61, 0xff, 0x62]))).toBe('a\ufffdb');
});

test('what is mostly no text is only described [FR-32]', () => {
  expect(readableOutput(Buffer.from(Array.from({ length: 256 }, (_, index) => (index * 7) % 32)))).toBe(
    '[256 bytes of binary output]',
  );
});

test('a piece of a text has only whole characters, wherever it was cut [FR-32]', () => {
  const text = 'aé漢😀b';
  const bytes = Buffer.from(text);

  fc.assert(
    fc.property(fc.nat(bytes.length), fc.nat(bytes.length), (one, other) => {
      const piece = bytes.subarray(Math.min(one, other), Math.max(one, other));
      const shown = readableOutput(piece, { isCutAtStart: true, isCutAtEnd: true });
      expect(text).toContain(shown);
    }),
    { seed: 3 },
  );
});
