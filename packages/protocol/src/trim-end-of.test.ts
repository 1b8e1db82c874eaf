import fc from 'fast-check';
import { expect, test } from 'vitest';
import { trimEndOf } from './trim-end-of.ts';

test('only the character at the end goes, however often it stands there', () => {
  expect(trimEndOf('/a//b///', '/')).toBe('/a//b');
  expect(trimEndOf('///', '/')).toBe('');
  expect(trimEndOf('', '/')).toBe('');
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom('a', '/') }), (text) => {
      expect(trimEndOf(text, '/')).toBe(text.replace(/\/+$/, ''));
    }),
  );
});
