import { parseJson } from '../tools/json-object.ts';

const SECRET_FIELDS = new Set([
  'api_key',
  'apiKey',
  'access_token',
  'accessToken',
  'refresh_token',
  'refreshToken',
  'password',
  'secret',
  'credential',
  'authorization',
]);

const REDACTED = '[REDACTED]';

/** A secret field in JSON text, whose quotes inside of strings are escaped and cannot be mistaken for these. */
const FIELD_IN_JSON = new RegExp(
  String.raw`("(?:${[...SECRET_FIELDS].join('|')})"\s*:\s*)"(?!\[REDACTED\]")[^"\\]*(?:\\.[^"\\]*)*"`,
  'g',
);

type Container = Record<string, unknown>;

/**
 * A JSON value with the strings under names of secrets replaced, at any depth.
 *
 * Only strings: a schema that describes a parameter named `password` is an object, and the tool needs it. Without a
 * secret the value itself comes back, else a copy.
 */
export function redactFields(value: unknown): { value: unknown; count: number } {
  const root: Container = { value };
  let count = 0;
  // A growing list, not recursion: a request may be nested as deep as its sender likes.
  const containers = [root];
  for (const container of containers) {
    for (const [key, child] of Object.entries(container)) {
      if (typeof child === 'string' && child !== REDACTED && SECRET_FIELDS.has(key)) {
        container[key] = REDACTED;
        count++;
      } else if (typeof child === 'object' && child !== null) {
        const copy = (Array.isArray(child) ? [...child] : { ...child }) as Container;
        container[key] = copy;
        containers.push(copy);
      }
    }
  }
  return { value: count === 0 ? value : root['value'], count };
}

/**
 * The same for a text that is JSON. The rest of it stays as it is, with its spaces and long numbers.
 *
 * A text that only contains some JSON, such as a source file, is left alone: the model has to see what it edits.
 */
export function redactFieldsInJson(text: string): { text: string; count: number } {
  const matches = text.match(FIELD_IN_JSON);
  if (matches === null || typeof parseJson(text) !== 'object') return { text, count: 0 };
  return { text: text.replace(FIELD_IN_JSON, `$1"${REDACTED}"`), count: matches.length };
}
