import { expect, test } from 'vitest';
import { defaultValue } from './default-value.ts';

const defaults = [false, 0, '', null, 'file', [1], { a: 1 }];

test.each(defaults)('BYOK-39 the default %j of a schema wins over the empty value of its type', (value) => {
  expect(defaultValue({ type: 'number', default: value })).toEqual(value);
  expect(defaultValue({ default: value })).toEqual(value);
});

const empties: [type: string, empty: unknown][] = [
  ['string', ''],
  ['number', 0],
  ['integer', 0],
  ['boolean', false],
  ['array', []],
  ['object', {}],
];

test.each(empties)('BYOK-40 the empty value of type %s is %j', (type, empty) => {
  expect(defaultValue({ type })).toEqual(empty);
});

const open = [
  { type: 'date' },
  { description: 'anything' },
  { type: ['string', 'null'] },
  {},
  undefined,
  null,
  'string',
];

test.each(open)('BYOK-41 the schema %j has no type to go by and gives null', (schema) => {
  expect(defaultValue(schema)).toBeNull();
});

test('of several types the first gives the empty value', () => {
  expect(defaultValue({ type: ['integer', 'string'] })).toBe(0);
});

test('an object is filled with what it requires', () => {
  const range = { type: 'object', required: ['start'], properties: { start: { type: 'integer', default: 1 } } };
  const schema = { type: 'object', required: ['range', 'path'], properties: { range, path: { type: 'string' } } };

  expect(defaultValue(schema)).toEqual({ range: { start: 1 }, path: '' });
});

test('a schema that is nested without end, or requires a key many times, is not followed for ever', () => {
  let schema: object = { type: 'string' };
  for (let depth = 0; depth < 50; depth++)
    schema = { type: 'object', required: ['a', 'a', 'a'], properties: { a: schema } };

  expect(JSON.stringify(defaultValue(schema))).toBe(`${'{"a":'.repeat(32)}{}${'}'.repeat(32)}`);
});
