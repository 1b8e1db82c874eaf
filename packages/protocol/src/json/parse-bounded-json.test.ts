import fc from 'fast-check';
import { expect, test } from 'vitest';
import { boundedJsonParser, JSON_TEXT_LIMITS, parseBoundedJson } from './parse-bounded-json.ts';

test('JSON within the limits is what JSON.parse makes of it', () => {
  fc.assert(
    fc.property(fc.json({ stringUnit: 'binary' }), (text) => {
      expect(parseBoundedJson(text)).toEqual(JSON.parse(text));
    }),
  );
});

test('any other text is undefined and never an error', () => {
  expect(parseBoundedJson('')).toBeUndefined();
  expect(parseBoundedJson('{"a":')).toBeUndefined();
  expect(parseBoundedJson('not JSON')).toBeUndefined();
});

test('each limit is the last that passes', () => {
  const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);
  const list = (values: number) => `[${Array(values).fill(0).join()}]`;
  const object = (fields: number) =>
    JSON.stringify(Object.fromEntries(Array.from({ length: fields }, (_, n) => [n, 0])));
  const { depth, values, fields, length } = JSON_TEXT_LIMITS;

  expect(parseBoundedJson(nested(depth))).toBeDefined();
  expect(parseBoundedJson(nested(depth + 1))).toBeUndefined();
  expect(parseBoundedJson(list(values - 1))).toHaveLength(values - 1);
  expect(parseBoundedJson(list(values))).toBeUndefined();
  expect(parseBoundedJson(object(fields))).toBeDefined();
  expect(parseBoundedJson(object(fields + 1))).toBeUndefined();
  expect(parseBoundedJson(`"${'x'.repeat(length - 2)}"`)).toHaveLength(length - 2);
  expect(parseBoundedJson(`"${'x'.repeat(length - 1)}"`)).toBeUndefined();
});

test('a limit is found in a long text too, whichever characters come before', () => {
  const deep = JSON.stringify(['🙂"[{\\'.repeat(20_000), 0]).replace('0]', `${'['.repeat(200)}${']'.repeat(200)}]`);

  expect(JSON.parse(deep)).toHaveLength(2);
  expect(parseBoundedJson(deep)).toBeUndefined();
});

test('an object with more fields than one may have is not parsed, and several smaller ones are', () => {
  const parse = boundedJsonParser({ depth: 10, values: 100, fields: 100, names: 2, length: 100 });

  expect(parse('{"a":1,"b":2,"c":3}')).toBeUndefined();
  expect(parse('[{"a":1,"b":2},{"c":3}]')).toEqual([{ a: 1, b: 2 }, { c: 3 }]);
});

test('the texts of one request share what they may hold', () => {
  const parse = boundedJsonParser({ depth: 10, values: 9, fields: 3, names: 100, length: 100 });

  expect(parse('[1,2,3]')).toEqual([1, 2, 3]);
  expect(parse('{"a":1,"b":2}')).toEqual({ a: 1, b: 2 });
  expect(parse('[1,2,3]')).toBeUndefined();
  expect(parse('{"a":1}')).toEqual({ a: 1 });
  expect(parse('1')).toBeUndefined();
});
