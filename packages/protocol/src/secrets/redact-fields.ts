import { isSecretKey } from './looks-secret.ts';
import { judgeName } from './secret-names.ts';

const REDACTED = '[REDACTED]';

/** A field in JSON text with a string as its value; quotes inside of strings are escaped and cannot be mistaken for these. */
const FIELD_IN_JSON = /("[^"\\]{0,80}(?:\\.[^"\\]{0,80}){0,20}")(\s*:\s*)("[^"\\]*(?:\\.[^"\\]*)*")/g;
/** Packages are called `cookie` and `pg-connection-string`, and a list of them says which versions. */
const VERSION =
  /^(?:[\^~<>=v ]{0,3}\d+(?:\.(?:\d+|[x*])){1,2}[\w.+ -]{0,60}|latest|(?:workspace|npm|file|link):.{1,200})$/;
/** JSON in a string of JSON in a string of JSON: nobody goes further. */
const MAX_NESTING = 3;

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
      if (typeof child === 'string' && isSecretField(key, child)) {
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
 * The same for a text that is JSON, and for JSON in its strings. The rest of it stays as it is, with its spaces and long numbers.
 *
 * A text that only contains some JSON, such as a source file, is left alone: the model has to see what it edits.
 */
export function redactFieldsInJson(text: string, nesting = MAX_NESTING): { text: string; count: number } {
  if (!/^\s*[[{]/.test(text)) return { text, count: 0 };
  let count = 0;
  const redacted = text.replaceAll(FIELD_IN_JSON, (field, name: string, between: string, value: string) => {
    const inner = redactField(unquoted(name), unquoted(value), nesting);
    if (inner.count === 0) return field;
    count += inner.count;
    return `${name}${between}${JSON.stringify(inner.text)}`;
  });
  return count > 0 && isJson(text) ? { text: redacted, count } : { text, count: 0 };
}

/** A text under a name; where it is JSON itself, without the secrets in that. */
function redactField(name: string, value: string, nesting: number): { text: string; count: number } {
  if (isSecretField(name, value)) return { text: REDACTED, count: 1 };
  return nesting === 0 ? { text: value, count: 0 } : redactFieldsInJson(value, nesting - 1);
}

function isSecretField(name: string, value: string): boolean {
  if (value === '' || value === REDACTED || VERSION.test(value)) return false;
  const judged = judgeName(name);
  return judged === 'secret' || (judged === 'maybe' && isSecretKey(value));
}

function unquoted(quoted: string): string {
  const text = quoted.slice(1, -1);
  return text.includes('\\') ? ((parse(quoted) as string | undefined) ?? text) : text;
}

function isJson(text: string): boolean {
  return parse(text) !== undefined;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
