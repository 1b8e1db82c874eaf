import fc from 'fast-check';
import { expect, test } from 'vitest';
import { ValueFilter } from './value-filter.ts';

test('a value is taken out of bytes however they are split, and everything else is passed on as it came', () => {
  const piece = fc.constantFrom('abc', 'abcabd', 'ab', 'c', 'd', 'é', '\n', 'abcab');
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 12 }), fc.array(fc.nat({ max: 40 }), { maxLength: 5 }), (pieces, cuts) => {
      const bytes = Buffer.from(pieces.join(''));
      const filter = new ValueFilter(['abcabd', 'dé'], '*');
      const places = [
        0,
        ...cuts.filter((cut) => cut < bytes.length).toSorted((one, other) => one - other),
        bytes.length,
      ];
      const passed = places.slice(1).map((to, index) => Buffer.from(filter.take(bytes.subarray(places[index], to))));

      expect(Buffer.concat([...passed, filter.end()]).toString()).toBe(
        pieces.join('').replaceAll('abcabd', '*').replaceAll('dé', '*'),
      );
    }),
  );
});

test('only what may be the beginning of a value waits', () => {
  const filter = new ValueFilter(['secret-value'], '*');

  expect(filter.take(Buffer.from('data: se')).toString()).toBe('data: ');
  expect(filter.take(Buffer.from('cond\n\n')).toString()).toBe('second\n\n');
});
