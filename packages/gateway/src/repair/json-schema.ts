import { isJsonObject, ownValue } from '../tools/json-object.ts';

/** A schema or value nested deeper is not followed: no tool needs it, and recursion ends before the stack does. */
export const MAX_SCHEMA_DEPTH = 32;

/** The types a value may have. Undefined where the schema leaves that open. */
export function schemaTypes(schema: unknown): string[] | undefined {
  const type = ownValue(schema, 'type');
  if (typeof type === 'string') return [type];
  if (Array.isArray(type)) return type.filter((item) => typeof item === 'string');
  const choices = ownValue(schema, 'anyOf') ?? ownValue(schema, 'oneOf');
  if (!Array.isArray(choices)) return undefined;
  const types = choices.map((choice) => ownValue(choice, 'type'));
  return types.every((item) => typeof item === 'string') ? types : undefined;
}

export function hasType(value: unknown, type: string): boolean {
  switch (type) {
    case 'null':
      return value === null;
    case 'integer':
      return Number.isInteger(value);
    case 'array':
      return Array.isArray(value);
    case 'object':
      return isJsonObject(value);
    default:
      return typeof value === type;
  }
}

export function propertySchema(schema: unknown, key: string): unknown {
  return ownValue(ownValue(schema, 'properties'), key);
}

export function requiredKeys(schema: unknown): string[] {
  const required = ownValue(schema, 'required');
  return Array.isArray(required) ? [...new Set(required.filter((key) => typeof key === 'string'))] : [];
}
