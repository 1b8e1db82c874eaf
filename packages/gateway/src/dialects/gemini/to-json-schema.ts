import { isJsonObject, type JsonObject } from '../../tools/json-object.ts';
import { MAX_SCHEMA_DEPTH } from '../../repair/json-schema.ts';

/** Fields that hold a schema, and those that hold several. */
const SCHEMA_FIELDS = new Set(['items', 'additionalProperties', 'not']);
const SCHEMA_LISTS = new Set(['anyOf', 'oneOf', 'allOf', 'prefixItems']);
const SCHEMA_MAPS = new Set(['properties', '$defs']);
/** Whole numbers that the service also takes as text. */
const COUNTS = new Set(['minItems', 'maxItems', 'minLength', 'maxLength', 'minProperties', 'maxProperties']);
/** What the service knows these by in its other spelling. */
const SPELLINGS: Readonly<Record<string, string>> = {
  any_of: 'anyOf',
  min_items: 'minItems',
  max_items: 'maxItems',
  min_length: 'minLength',
  max_length: 'maxLength',
  min_properties: 'minProperties',
  max_properties: 'maxProperties',
  additional_properties: 'additionalProperties',
  property_ordering: 'propertyOrdering',
  defs: '$defs',
  ref: '$ref',
};

/**
 * Google's own form of schema as JSON Schema: types in capitals, `nullable`, counts as text. A schema that is JSON Schema
 * already stays one. What is nested deeper than any tool needs is left open.
 */
export function toJsonSchema(schema: JsonObject, depth = 0): JsonObject {
  if (depth > MAX_SCHEMA_DEPTH) return {};
  const read = Object.fromEntries(
    Object.entries(schema).flatMap(([field, value]) =>
      toField(Object.hasOwn(SPELLINGS, field) ? SPELLINGS[field]! : field, value, depth + 1),
    ),
  );
  return schema['nullable'] === true ? orNull(read) : read;
}

/** One field of a schema, or none where JSON Schema has nothing for it. */
function toField(name: string, value: unknown, depth: number): [string, unknown][] {
  const inner = (schema: unknown) => (isJsonObject(schema) ? toJsonSchema(schema, depth) : schema);
  if (name === 'nullable' || name === 'propertyOrdering') return [];
  if (name === 'type') return toType(value);
  if (name === 'example') return [['examples', [value]]];
  if (COUNTS.has(name)) return [[name, typeof value === 'string' ? Number(value) : value]];
  if (SCHEMA_FIELDS.has(name)) return [[name, inner(value)]];
  if (SCHEMA_LISTS.has(name) && Array.isArray(value)) return [[name, value.map(inner)]];
  if (SCHEMA_MAPS.has(name) && isJsonObject(value))
    return [[name, Object.fromEntries(Object.entries(value).map(([key, property]) => [key, inner(property)]))]];
  return [[name, value]];
}

function toType(type: unknown): [string, unknown][] {
  if (Array.isArray(type)) return [['type', type.flatMap((one: unknown) => toType(one).map(([, name]) => name))]];
  if (typeof type !== 'string' || type === 'TYPE_UNSPECIFIED') return [];
  return [['type', type.toLowerCase()]];
}

function orNull(schema: Record<string, unknown>): JsonObject {
  const { type, enum: values } = schema;
  return {
    ...schema,
    ...(typeof type === 'string' ? { type: [type, 'null'] } : {}),
    ...(Array.isArray(values) && !values.includes(null) ? { enum: [...(values as unknown[]), null] } : {}),
  };
}
