import { expect, test } from 'vitest';
import { boundInput } from './bound-input.ts';

test('an input that people could read stays itself', () => {
  const input = { path: 'a.ts', content: 'x'.repeat(1_000_000), edits: [{ from: 'a', to: ['b', null, 7] }] };

  expect(boundInput(input)).toBe(input);
});

test('one that is too deep, has too many values or is too long becomes a text with its beginning', () => {
  let deep: Record<string, unknown> = {};
  for (let level = 0; level < 200; level++) deep = { a: deep };
  const many = { list: Array.from({ length: 30_000 }, () => ({})) };
  const long = { text: 'x'.repeat(9_000_000) };

  expect(boundInput(deep)).toEqual({ input: `${JSON.stringify(deep)}…` });
  expect(boundInput(many)).toEqual({ input: `${JSON.stringify(many).slice(0, 65_536)}…` });
  expect(boundInput(long)).toEqual({ input: `${JSON.stringify(long).slice(0, 65_536)}…` });
});
