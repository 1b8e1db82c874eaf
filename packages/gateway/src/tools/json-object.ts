import { jsonMeter, type JsonTextLimits } from '@dragoman/protocol';

export type JsonObject = Readonly<Record<string, unknown>>;

export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** A key's value, or undefined: what an object only inherits, such as `constructor`, nobody sent. */
export function ownValue(object: unknown, key: string): unknown {
  return isJsonObject(object) && Object.hasOwn(object, key) ? object[key] : undefined;
}

/**
 * What a provider or a model may write. An answer with 96 vectors has 400,000 values, all of them numbers; one of 4,000 tokens
 * with the 20 likeliest in the place of each has 240,000 fields.
 */
const JSON_LIMITS: Readonly<JsonTextLimits> = {
  depth: 100,
  values: 1_000_000,
  fields: 300_000,
  names: 300_000,
  length: Infinity,
};
/** A shorter text is parsed in no time, whatever it is. */
const LONG_TEXT = 256 * 1024;

/** Whether a text may be parsed without keeping others waiting. */
export function isParsable(text: string): boolean {
  return text.length <= LONG_TEXT || jsonMeter(JSON_LIMITS)(text);
}

/** For what a provider answers or a model writes; what a client wrote is read within limits of its own (`parseBoundedJson`). */
export function parseJson(text: string): unknown {
  if (!isParsable(text)) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
