import fc from 'fast-check';
import { expect, test } from 'vitest';
import { decodeFrame, encodeFrame } from './ws-frame.ts';

test('a frame that is written is read as it was', () => {
  fc.assert(
    fc.property(
      fc.record({
        seqId: fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }),
        logId: fc.bigInt({ min: 0n, max: 2n ** 64n - 1n }),
        service: fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 }),
        method: fc.constantFrom(0, 1),
        headers: fc.dictionary(
          fc.string({ minLength: 1 }).filter((key) => key !== '__proto__'),
          fc.string(),
          { noNullPrototype: true },
        ),
        payload: fc.uint8Array(),
      }),
      (frame) => {
        const read = decodeFrame(encodeFrame(frame));
        expect({ ...read, payload: [...read.payload] }).toEqual({ ...frame, payload: [...frame.payload] });
      },
    ),
  );
});

test('bytes that are no frame are refused, and never read beyond their end', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 40 }), (bytes) => {
      expect(outcome(bytes)).toMatch(/^(a frame|RangeError: a frame ends|RangeError: field \d+ of a frame)/);
    }),
  );
});

function outcome(bytes: Uint8Array): string {
  try {
    return `a frame with ${decodeFrame(bytes).payload.length} bytes`;
  } catch (error) {
    return String(error);
  }
}
