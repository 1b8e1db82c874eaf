import fc from 'fast-check';
import { expect, test } from 'vitest';
import { decodeText, encodeText } from './text-encoding.ts';

test('byte order marks are taken off and told', () => {
  expect(decodeText(Buffer.from('\uFEFFa', 'utf8'))).toEqual({ encoding: 'utf8-bom', text: 'a' });
  expect(decodeText(Buffer.from('\uFEFFä', 'utf16le'))).toEqual({ encoding: 'utf16le', text: 'ä' });
  expect(decodeText(Buffer.from('\uFEFFä', 'utf16le').swap16())).toEqual({ encoding: 'utf16be', text: 'ä' });
  expect(decodeText(Buffer.from('ä'))).toEqual({ encoding: 'utf8', text: 'ä' });
});

test('what is not UTF-8 is read letter by byte', () => {
  expect(decodeText(Buffer.from('gr\xfc\xdfe', 'latin1'))).toEqual({ encoding: 'latin1', text: 'grüße' });
  expect(encodeText({ encoding: 'latin1', text: 'grüße' })).toEqual(Buffer.from('gr\xfc\xdfe', 'latin1'));
  expect(() => encodeText({ encoding: 'latin1', text: 'a → b' })).toThrow('has no "→"');
});

test('bytes that no text has are binary', () => {
  expect(decodeText(Buffer.from([0x7f, 0x45, 0x4c, 0x46, 0, 1]))).toBeUndefined();
  expect(decodeText(Buffer.from([1, 2, 3, 4, 5, 6, 65]))).toBeUndefined();
  expect(decodeText(Buffer.from([0xff, 0xfe, 65]))).toBeUndefined();
  expect(decodeText(Buffer.from('\x1b[31mred\x1b[0m'))?.encoding).toBe('utf8');
});

test('whatever was decoded is encoded to the same bytes', () => {
  const marks = [[], [0xef, 0xbb, 0xbf], [0xff, 0xfe], [0xfe, 0xff]];
  fc.assert(
    fc.property(fc.constantFrom(...marks), fc.uint8Array({ maxLength: 40 }), (mark, body) => {
      const bytes = Buffer.concat([Buffer.from(mark), body]);
      const decoded = decodeText(bytes);
      expect(decoded === undefined ? bytes : encodeText(decoded)).toEqual(bytes);
    }),
    { seed: 11, numRuns: 400 },
  );
});
