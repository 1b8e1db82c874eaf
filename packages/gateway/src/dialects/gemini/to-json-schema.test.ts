import fc from 'fast-check';
import { expect, test } from 'vitest';
import { toJsonSchema } from './to-json-schema.ts';

test("Google's own schema becomes JSON Schema, in every place where one stands", () => {
  expect(
    toJsonSchema({
      type: 'OBJECT',
      properties: {
        type: { type: 'STRING', enum: ['A', 'B'], format: 'enum', nullable: true },
        many: { type: 'ARRAY', items: { type: 'INTEGER' }, minItems: '1', max_items: '5' },
        either: { any_of: [{ type: 'NUMBER' }, { type: 'BOOLEAN' }], example: 3 },
        nullable: { type: 'TYPE_UNSPECIFIED', description: 'a name that is a word of schemas too' },
      },
      required: ['type'],
      propertyOrdering: ['type', 'many'],
    }),
  ).toEqual({
    type: 'object',
    properties: {
      type: { type: ['string', 'null'], enum: ['A', 'B', null], format: 'enum' },
      many: { type: 'array', items: { type: 'integer' }, minItems: 1, maxItems: 5 },
      either: { anyOf: [{ type: 'number' }, { type: 'boolean' }], examples: [3] },
      nullable: { description: 'a name that is a word of schemas too' },
    },
    required: ['type'],
  });
});

test('a schema that is JSON Schema already stays as it is', () => {
  const schema = {
    type: 'object',
    properties: { a: { type: ['string', 'null'] }, b: { $ref: '#/$defs/b' } },
    additionalProperties: false,
    $defs: { b: { type: 'array', items: { oneOf: [{ const: 1 }, { pattern: '^a' }] } } },
  };

  expect(toJsonSchema(schema)).toEqual(schema);
});

test('whatever is sent for a schema is read without a failure, however deep it is', () => {
  const deep = JSON.parse(`${'{"items":'.repeat(90)}{"type":"STRING"}${'}'.repeat(90)}`) as Record<string, unknown>;

  expect(JSON.stringify(toJsonSchema(deep))).not.toContain('type');
  expect(toJsonSchema(JSON.parse('{"__proto__":{"type":"STRING"}}') as Record<string, unknown>)).not.toHaveProperty(
    'type',
  );
  fc.assert(
    fc.property(
      fc.dictionary(
        fc.constantFrom('type', 'properties', 'items', 'anyOf', 'nullable', 'minItems', 'x'),
        fc.jsonValue(),
      ),
      (schema) => {
        expect(toJsonSchema(schema as Record<string, unknown>)).toBeTypeOf('object');
      },
    ),
  );
});
