import type { PrimitiveSchemaDefinition } from '@modelcontextprotocol/client';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { formField } from './form-field.ts';
import { readValue } from './read-value.ts';

const field = (schema: object) => formField('it', schema as PrimitiveSchemaDefinition, true);

test.each([
  [{ type: 'string' }, ' as it is ', 'as it is'],
  [{ type: 'string', format: 'email' }, 'ada@example.com', 'ada@example.com'],
  [{ type: 'string', format: 'uri' }, 'https://example.com/a', 'https://example.com/a'],
  [{ type: 'string', format: 'date' }, '2026-07-28', '2026-07-28'],
  [{ type: 'string', format: 'date-time' }, '2026-07-28T12:00:00Z', '2026-07-28T12:00:00Z'],
  [{ type: 'string', format: 'of-its-own' }, 'anything', 'anything'],
  [{ type: 'string', maxLength: 2 }, '😀😀', '😀😀'],
  [{ type: 'number' }, '-2.5e3', -2500],
  [{ type: 'integer', minimum: 0, maximum: 9 }, '9', 9],
  [{ type: 'boolean' }, 'YES', true],
  [{ type: 'string', enum: ['a', 'b'], enumNames: ['First', 'Second'] }, 'second', 'b'],
  [{ type: 'array', items: { anyOf: [{ const: 'm', title: 'Monday' }] } }, 'monday, m', ['m']],
  [{ type: 'array', items: { type: 'string', enum: ['x'] } }, '', []],
])('%j takes %j', (schema, text, value) => {
  expect(readValue(field(schema), text)).toEqual({ value });
});

test.each([
  [{ type: 'string', minLength: 3 }, 'ab', 'Characters: at least 3.'],
  [{ type: 'string', format: 'email' }, 'ada', 'An email address.'],
  [{ type: 'string', format: 'uri' }, 'example', 'An address, such as https://example.com.'],
  [{ type: 'string', format: 'date' }, '2026-13-01', 'A date, such as 2026-07-28.'],
  [{ type: 'string' }, 'x'.repeat(10_001), 'It is too long: 10000 characters at most.'],
  [{ type: 'number', maximum: 1 }, '2', 'A number of at most 1.'],
  [{ type: 'number' }, '', 'A number.'],
  [{ type: 'number' }, 'Infinity', 'A number.'],
  [{ type: 'integer' }, '1.5', 'A whole number.'],
  [{ type: 'boolean' }, 'perhaps', 'It is none of: Yes, No.'],
  [{ type: 'array', items: { type: 'string', enum: ['x', 'y'] } }, 'x, z', 'Not all of it is one of: x, y.'],
  [{ type: 'array', items: { type: 'string', enum: ['x', 'y'] }, maxItems: 1 }, 'x, y', 'Name at most 1.'],
])('%j does not take %j, and says why', (schema, text, problem) => {
  expect(readValue(field(schema), text)).toEqual({ problem });
});

test('whatever is written becomes a value of the field’s own type, or a problem in words', () => {
  const schema = fc.oneof(
    fc.record({ type: fc.constant('string'), minLength: fc.nat(5), maxLength: fc.integer({ min: 5, max: 20 }) }),
    fc.record({ type: fc.constantFrom('number', 'integer'), minimum: fc.integer(), maximum: fc.integer() }),
    fc.record({ type: fc.constant('string'), enum: fc.array(fc.string(), { minLength: 1, maxLength: 5 }) }),
    fc.record({
      type: fc.constant('array'),
      items: fc.record({ type: fc.constant('string'), enum: fc.array(fc.string(), { maxLength: 5 }) }),
    }),
    fc.constant({ type: 'boolean' }),
  );
  const text = fc.oneof(fc.string(), fc.double().map(String), fc.integer().map(String), fc.constant('a, b'));
  const fits = (given: { type: string; minimum?: number; maximum?: number; enum?: string[] }, value: unknown) => {
    const { type, minimum = -Infinity, maximum = Infinity } = given;
    if (type === 'array') return Array.isArray(value);
    if (type === 'boolean') return typeof value === 'boolean';
    if (type === 'string') return typeof value === 'string' && (given.enum?.includes(value) ?? true);
    return typeof value === 'number' && value >= minimum && value <= maximum;
  };
  fc.assert(
    fc.property(schema, text, (given, said) => {
      const read = readValue(field(given), said);
      expect('problem' in read ? read.problem !== '' : fits(given, read.value)).toBe(true);
    }),
  );
});
