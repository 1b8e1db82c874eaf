import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { mendJsonObject } from './mend-json-object.ts';

const damages: [damage: string, text: string, meant: object][] = [
  ['a trailing comma', '{"a":1,"b":[1,2,],}', { a: 1, b: [1, 2] }],
  ['a missing comma', '{"a":1 "b":[1 "x" {"c":2}{"c":3}]}', { a: 1, b: [1, 'x', { c: 2 }, { c: 3 }] }],
  ['a missing bracket', '{"a":{"b":[1,2', { a: { b: [1, 2] } }],
  ['a list that is not closed', '{"a":[1,2}', { a: [1, 2] }],
  ['a bracket too many', '{"a":1}}', { a: 1 }],
  ['a string that is cut', '{"path":"src/ma', { path: 'src/ma' }],
  ['a cut escape', '{"a":"x\\', { a: 'x' }],
  ['a cut unicode escape', '{"a":"x\\u00', { a: 'x' }],
  ['half of an emoji', '{"a":"x\\ud83d', { a: 'x' }],
  ['a cut literal', '{"a":1,"b":tr', { a: 1 }],
  ['a cut fraction', '{"a":1.', { a: 1 }],
  ['a cut exponent', '{"a":1.5e-', { a: 1.5 }],
  ['a lone minus', '{"a":-', {}],
  ['a cut key', '{"a":1,"b', { a: 1 }],
  ['a missing value', '{"a":,"b":2}', { b: 2 }],
  ['single quotes', `{'a': 'it\\'s "so"'}`, { a: 'it\'s "so"' }],
  ['bare keys', '{path: "a", max-lines: 3, $x: 1}', { path: 'a', 'max-lines': 3, $x: 1 }],
  ['bare text', '{path: src/main.ts, ok: true}', { path: 'src/main.ts', ok: true }],
  ['Python literals', '{"a": True, "b": False, "c": None}', { a: true, b: false, c: null }],
  ['JavaScript literals', '{"a": undefined, "b": NaN}', { a: null, b: null }],
  ['a line break in a string', '{"a":"one\ntwo\tthree\u0000"}', { a: 'one\ntwo\tthree\u0000' }],
  ['a backslash that escapes nothing', '{"a":"C:\\Users\\d+"}', { a: 'C:\\Users\\d+' }],
  ['a code fence', '```json\n{"a":1}\n```', { a: 1 }],
  ['a code fence around a cut object', '```\n{"a":1\n```', { a: 1 }],
  ['a sentence around it', 'Use {braces}: {"a":1} and go on', { a: 1 }],
  ['the same object twice', '{"a":1}{"a":1}', { a: 1 }],
  ['two objects', '{"a":1}\n{"a":2}', { a: 1 }],
  ['an empty object before the arguments', '{}{"a":1}', { a: 1 }],
  ['a broken attempt before a whole one', '{"a":1,{"a":1,"b":2}', { a: 1, b: 2 }],
  ['a broken attempt before another', '{"a":1,{"b":', { a: 1 }],
  ['no object', 'I do not know.', {}],
  ['nothing', '', {}],
];

describe('BYOK-35 what a model meant is read despite', () => {
  test.each(damages)('%s', (_, text, meant) => {
    expect(mendJsonObject(text)).toEqual(meant);
  });
});

test('a key named __proto__ is a key like any other', () => {
  expect(JSON.stringify(mendJsonObject('{"__proto__":{"a":1},"b":2,}'))).toBe('{"__proto__":{"a":1},"b":2}');
});

test('what is nested too deeply is treated as cut off', () => {
  expect(mendJsonObject(`{"a":1,"b":${'['.repeat(100_000)}`)).toMatchObject({ a: 1 });
  expect(Object.keys(mendJsonObject('{"a":'.repeat(100_000)))).toEqual(['a']);
});

test('a megabyte of the worst is read to its end', () => {
  const worst = ['{', '{"a":', '[', '"', '\\', '{"a":1,', "{'", '{"a":"\\u', '}', ',', 'a', '{}', '-', '{"a":[1}'];

  for (const piece of worst) expect(mendJsonObject(`{${piece.repeat(1_000_000 / piece.length)}`)).toBeTypeOf('object');
});

const object = fc.dictionary(fc.string({ unit: 'grapheme' }), fc.jsonValue({ stringUnit: 'grapheme' }), {
  noNullPrototype: true,
});
const indent = fc.constantFrom(undefined, 2, '\t');

test('BYOK-37 a valid object comes out equal', () => {
  fc.assert(
    fc.property(object, indent, (value, space) => {
      const text = JSON.stringify(value, null, space);

      expect(mendJsonObject(text)).toEqual(JSON.parse(text));
    }),
    { seed: 1, numRuns: 300 },
  );
});

test('BYOK-35 of an object that was cut anywhere, all that arrived whole is kept, and at most one value is shortened', () => {
  fc.assert(
    fc.property(object, indent, fc.double({ min: 0, max: 1, noNaN: true }), (value, space, share) => {
      const text = JSON.stringify(value, null, space);
      const whole = JSON.parse(text) as Record<string, unknown>;
      const mended = mendJsonObject(text.slice(0, Math.floor(text.length * share)));
      const shortened = Object.keys(mended).filter((key) => JSON.stringify(mended[key]) !== JSON.stringify(whole[key]));

      expect(Object.keys(whole)).toEqual(expect.arrayContaining(Object.keys(mended)));
      expect(shortened.length).toBeLessThanOrEqual(1);
      expect(JSON.parse(JSON.stringify(mended))).toEqual(mended);
    }),
    { seed: 1, numRuns: 500 },
  );
});

test('BYOK-35 whatever the text, an object comes out and nothing is thrown', () => {
  const piece = fc.constantFrom('{', '}', '[', ']', '"', "'", ',', ':', '\\', 'u00', 'tru', '-1.5e', 'a', '\n', '😀');

  fc.assert(
    fc.property(fc.array(fc.oneof(piece, fc.string({ unit: 'binary' }))), (pieces) => {
      const mended = mendJsonObject(pieces.join(''));

      expect(JSON.parse(JSON.stringify(mended))).toEqual(mended);
    }),
    { seed: 1, numRuns: 300 },
  );
});
