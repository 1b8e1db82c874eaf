import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readSse } from './sse.ts';

/** The data of each event when the bytes come in the given pieces. */
function read(...pieces: (string | Uint8Array)[]): string[] {
  const events: string[] = [];
  const reader = readSse((data) => events.push(data));
  for (const piece of pieces) reader.feed(Buffer.from(piece));
  reader.end();
  return events;
}

test('BYOK-57 a blank line ends an event, and comments are skipped', () => {
  expect(read(': keep-alive\n\ndata: one\n\n:\ndata: two\n\n')).toEqual(['one', 'two']);
});

test('BYOK-58 several data lines are joined, each without its leading white space, and other fields are ignored', () => {
  expect(read('event: x\nid: 7\ndata:  one\ndata:\ttwo\ndata:three\nretry: 1\n\n')).toEqual(['one\ntwo\nthree']);
});

test('BYOK-56 a stream with carriage returns gives the same events', () => {
  expect(read('data: one\r\n\r\ndata: two\r\n\r\n')).toEqual(['one', 'two']);
});

test('BYOK-55 a character split between two reads arrives whole', () => {
  const bytes = Buffer.from('data: 汉字🙂\n\n');
  for (let at = 0; at <= bytes.length; at++)
    expect(read(bytes.subarray(0, at), bytes.subarray(at))).toEqual(['汉字🙂']);
});

test('the last event counts without the blank line that should follow it', () => {
  expect(read('data: one\n\ndata: two')).toEqual(['one', 'two']);
  expect(read('data: one\n\n\n\n')).toEqual(['one']);
});

test('BYOK-61 any split of the same bytes gives the same events', () => {
  const line = fc.oneof(
    fc.constant(''),
    fc.string({ unit: 'grapheme', maxLength: 8 }).map((text) => `data: ${text.replace(/[\r\n]/g, '')}`),
    fc.constant(': note'),
    fc.constant('event: ping'),
  );
  fc.assert(
    fc.property(fc.array(line, { maxLength: 20 }), fc.array(fc.nat(200), { maxLength: 8 }), (lines, cuts) => {
      const bytes = Buffer.from(lines.join('\n'));
      const places = [...new Set(cuts.map((cut) => cut % (bytes.length + 1)))].toSorted((one, other) => one - other);
      const pieces = [0, ...places].map((start, index) => bytes.subarray(start, places[index] ?? bytes.length));
      expect(read(...pieces)).toEqual(read(bytes));
    }),
    { seed: 3, numRuns: 500 },
  );
});

test('a line that has no end is an error, also where it comes in single bytes', () => {
  const fill = (piece: Buffer) => {
    const reader = readSse(() => {});
    for (let fed = 0; fed < 300_000; fed++) reader.feed(piece);
  };
  expect(() => fill(Buffer.from('x'))).toThrow('more than 33554432 bytes in one event');
  expect(() => fill(Buffer.alloc(1024, 'x'))).toThrow('more than 33554432 bytes in one event');
});
