import { zstdCompressSync } from 'node:zlib';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Unpacker } from './unpacker.ts';

const packed = (text: string): [Uint8Array, number] => [zstdCompressSync(text), Buffer.byteLength(text)];

test('whatever texts are asked for at once, each comes out as it went in', async () => {
  const unpacker = new Unpacker();
  const text = fc.oneof(
    fc.string({ unit: 'grapheme' }),
    fc.tuple(fc.string(), fc.integer({ min: 1, max: 20_000 })).map(([piece, times]) => piece.repeat(times)),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(text, { maxLength: 12 }), async (texts) => {
      const unpacked = await Promise.all(texts.map((each) => unpacker.unpack(...packed(each))));
      expect(unpacked.map(String)).toEqual(texts);
    }),
    { numRuns: 50 },
  );
});

test.each([
  ['no packed text', Buffer.from('no packed text'), 14, /Unknown frame descriptor|unknown/i],
  ['cut short', zstdCompressSync('a long text '.repeat(100)).subarray(0, 20), 1_200, /1200 bytes was unpacked to 0/],
  ['longer than it says', zstdCompressSync('twelve bytes'), 5, /5 bytes was unpacked to 12/],
  ['shorter than it says', zstdCompressSync('twelve bytes'), 50, /50 bytes was unpacked to 12/],
  ['two of them', Buffer.concat([zstdCompressSync('one'), zstdCompressSync('two')]), 3, /more follows/],
  ['large and no packed text', Buffer.from('no packed text'), 1_000_000, /Unknown frame descriptor|unknown/i],
])('content that is %s is refused, and spoils none of the texts around it', async (_what, content, size, message) => {
  const unpacker = new Unpacker();
  const [before, bad, after] = await Promise.allSettled([
    unpacker.unpack(...packed('before')),
    unpacker.unpack(content, size),
    unpacker.unpack(...packed('after')),
  ]);

  expect(before).toMatchObject({ value: Buffer.from('before') });
  expect(bad).toMatchObject({ status: 'rejected', reason: { message: expect.stringMatching(message) as string } });
  expect(after).toMatchObject({ value: Buffer.from('after') });
  expect(String(await unpacker.unpack(...packed('and later')))).toBe('and later');
});
