/** An object of JSON, of which nothing is known yet. */
export type JsonObject = Record<string, unknown>;

/** Whether it is one. */
export function isJsonObject(value: unknown): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The object that a text says, or `undefined`. */
export function parseObject(text: unknown): JsonObject | undefined {
  const value = parseJson(text);
  return isJsonObject(value) ? value : undefined;
}

/** What a text says, or `undefined` where it is no JSON. */
export function parseJson(text: unknown): unknown {
  if (typeof text !== 'string') return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The text, or what is to be taken where it is none. */
export function textOr(value: unknown, other = ''): string {
  return typeof value === 'string' ? value : other;
}
