import { stripVTControlCharacters } from 'node:util';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { cleanPainted, cleanText } from './clean-text.ts';
import { jsonText } from './json-text.ts';
import { painter } from './paint.ts';

// oxlint-disable-next-line no-control-regex
const UNSAFE = /[\u0000-\u0008\u000B-\u001F\u007F-\u009F\u2028-\u202E\u2066-\u2069]/;
// oxlint-disable-next-line no-control-regex
const COLORS = /\u001B\[[\d;]*m/g;
const anyText = fc.string({
  unit: fc.oneof(
    fc.constantFrom(
      '\u001B',
      '[',
      ']',
      '0',
      ';',
      '1',
      'm',
      'A',
      '\u0007',
      '\u009B',
      '\r',
      '\n',
      '\u202E',
      '\u2028',
      '\uD800',
    ),
    fc.string({ unit: 'binary', minLength: 1, maxLength: 1 }),
  ),
});

test('whatever a text holds, nothing in it commands the terminal', () => {
  fc.assert(
    fc.property(anyText, (text) => {
      expect(cleanText(text)).not.toMatch(UNSAFE);
    }),
  );
});

test('of a painted text the colours stay, and nothing else that a terminal acts on', () => {
  const paint = painter(true);

  expect(cleanPainted(paint(['bold', 'red'], 'a\u001B]0;b\u0007\u001B[2J'))).toBe(
    '\u001B[1m\u001B[31ma␛]0;b␇␛[2J\u001B[39m\u001B[22m',
  );
  fc.assert(
    fc.property(anyText, (text) => {
      expect(cleanPainted(text).replaceAll(COLORS, '')).not.toMatch(UNSAFE);
      expect(stripVTControlCharacters(cleanPainted(paint('dim', cleanText(text))))).toBe(cleanText(text));
    }),
  );
});

test('JSON holds nothing that commands the terminal, and reads as the value it was', () => {
  fc.assert(
    fc.property(
      fc.dictionary(anyText, fc.oneof(anyText, fc.jsonValue())),
      fc.constantFrom(undefined, 2),
      (value, indent) => {
        const text = jsonText(value, indent);

        expect(text).not.toMatch(UNSAFE);
        expect(JSON.stringify(JSON.parse(text))).toBe(JSON.stringify(value));
      },
    ),
  );
});
