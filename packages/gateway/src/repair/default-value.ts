import { isJsonObject, ownValue } from '../tools/json-object.ts';
import { MAX_SCHEMA_DEPTH, propertySchema, requiredKeys } from './json-schema.ts';

/**
 * What stands in for an argument that the model left out: the schema's own default, else the empty value of its type, in
 * which the keys that an object requires are filled in turn.
 */
export function defaultValue(schema: unknown, depth = 0): unknown {
  if (isJsonObject(schema) && Object.hasOwn(schema, 'default')) return schema['default'];
  switch (mainType(schema)) {
    case 'string':
      return '';
    case 'number':
    case 'integer':
      return 0;
    case 'boolean':
      return false;
    case 'array':
      return [];
    case 'object':
      if (depth === MAX_SCHEMA_DEPTH) return {};
      return Object.fromEntries(
        requiredKeys(schema).map((key) => [key, defaultValue(propertySchema(schema, key), depth + 1)]),
      );
    default:
      return null;
  }
}

function mainType(schema: unknown): unknown {
  const type = ownValue(schema, 'type');
  if (!Array.isArray(type)) return type;
  return type.includes('null') ? 'null' : type[0];
}
