import { parseBoundedJson } from '@dragoman/protocol';
import { isJsonObject, ownValue } from '../tools/json-object.ts';
import { hasType, schemaTypes } from './json-schema.ts';

const NUMBER = /^-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?$/;
const BOOLEANS = new Map([
  ['true', true],
  ['false', false],
]);

/**
 * A value of the wrong type as the type its schema wants, such as `"5"` as 5.
 *
 * Only where one reading is possible: anything else stays as the model wrote it, because the tool's own complaint
 * teaches the model more than a guess does.
 */
export function coerceValue(value: unknown, schema: unknown): unknown {
  const types = schemaTypes(schema);
  if (types === undefined || types.some((type) => hasType(value, type))) return value;
  const readings = types.map((type) => readAs(type, value, schema)).filter((reading) => reading !== undefined);
  return new Set(readings).size === 1 ? readings[0] : value;
}

function readAs(type: string, value: unknown, schema: unknown): unknown {
  switch (type) {
    case 'string':
      return typeof value === 'number' || typeof value === 'boolean' ? String(value) : undefined;
    case 'array': {
      const list = typeof value === 'string' ? parseBoundedJson(value) : undefined;
      return Array.isArray(list) ? list : asOnlyItem(value, schema);
    }
    default:
      return typeof value === 'string' ? readText(type, value.trim()) : undefined;
  }
}

function readText(type: string, text: string): unknown {
  switch (type) {
    case 'integer':
      return NUMBER.test(text) && Number.isSafeInteger(Number(text)) ? Number(text) : undefined;
    case 'number':
      return NUMBER.test(text) && Number.isFinite(Number(text)) ? Number(text) : undefined;
    case 'boolean':
      return BOOLEANS.get(text.toLowerCase());
    case 'null':
      return text === 'null' ? null : undefined;
    case 'object': {
      const object = parseBoundedJson(text);
      return isJsonObject(object) ? object : undefined;
    }
    default:
      return undefined;
  }
}

function asOnlyItem(value: unknown, schema: unknown): unknown[] | undefined {
  const fits = schemaTypes(ownValue(schema, 'items'))?.some((type) => hasType(value, type)) ?? false;
  return fits ? [value] : undefined;
}
