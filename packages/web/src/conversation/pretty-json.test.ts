import { expect, test } from 'vitest';
import { prettyJson } from './pretty-json.ts';

function nested(depth: number): unknown {
  let value: unknown = 1;
  for (let level = 0; level < depth; level += 1) value = [value];
  return value;
}

test('a value is written as people read it, and one that is very deep on one line', () => {
  expect(prettyJson({ a: 1 })).toBe('{"a":1}');
  expect(prettyJson({ a: 'x'.repeat(80) })).toBe(`{\n  "a": "${'x'.repeat(80)}"\n}`);
  expect(prettyJson(nested(500))).toBe(`${'['.repeat(500)}1${']'.repeat(500)}`);
  expect(prettyJson(nested(100_000))).toBeUndefined();
  expect(prettyJson(undefined)).toBeUndefined();
});
