import { isJsonObject, type JsonObject, ownValue } from '../tools/json-object.ts';
import { coerceValue } from './coerce-value.ts';
import { defaultValue } from './default-value.ts';
import { MAX_SCHEMA_DEPTH, propertySchema, requiredKeys, schemaTypes } from './json-schema.ts';

/**
 * The arguments with what their schema requires filled in, and obviously wrong types put right, at every level.
 *
 * Keys that the schema does not know stay, and optional ones stay absent. `note` is told what was done and where; the
 * items of a list have one name, `edits[].path`.
 */
export function conformToSchema(
  object: JsonObject,
  schema: unknown,
  note: (repair: string) => void,
  path = '',
  depth = 0,
): JsonObject {
  const conformed = new Map(
    Object.entries(object).map(([key, value]) => [
      key,
      conformValue(value, propertySchema(schema, key), note, path + key, depth),
    ]),
  );
  for (const key of requiredKeys(schema)) {
    const keySchema = propertySchema(schema, key);
    if (conformed.has(key) && !isNothing(conformed.get(key), keySchema)) continue;
    const value = defaultValue(keySchema);
    if (conformed.get(key) === value) continue;
    conformed.set(key, value);
    note(`filled:${path}${key}`);
  }
  return Object.fromEntries(conformed);
}

function conformValue(
  value: unknown,
  schema: unknown,
  note: (repair: string) => void,
  path: string,
  depth: number,
): unknown {
  const coerced = coerceValue(value, schema);
  if (coerced !== value) note(`coerced:${path}`);
  if (depth === MAX_SCHEMA_DEPTH || schema === undefined) return coerced;
  if (Array.isArray(coerced)) {
    const items = ownValue(schema, 'items');
    return coerced.map((item) => conformValue(item, items, note, `${path}[]`, depth + 1));
  }
  if (isJsonObject(coerced)) return conformToSchema(coerced, schema, note, `${path}.`, depth + 1);
  return coerced;
}

/** A null where the type has none says that the model had nothing to give. */
function isNothing(value: unknown, schema: unknown): boolean {
  return value === null && !(schemaTypes(schema) ?? ['null']).includes('null');
}
