import type { RedactInTurns, Turns } from './turns.ts';
import { isSecretField, REDACTED, SecretItems, SecretsBeside } from './secret-fields.ts';

/** So many characters are looked at before others get a turn. */
const MOST_CHARACTERS = 16 * 1024;
/** What a value takes beside its characters. */
const CHARACTERS_OF_VALUE = 16;
/** No token is shorter. */
const SHORTEST_TOKEN = 20;

type Container = Record<string, unknown>;

/**
 * A value of JSON with the texts under names of secrets replaced, at any depth, and the other texts and the names as
 * `redactText` leaves them. A piece at a time.
 *
 * Only texts: a schema that describes a parameter named `password` is an object, and the tool needs it. Without a secret
 * the value itself comes back, else a copy.
 */
export function* redactValue<Value>(value: Value, redactText: RedactInTurns): Turns<{ value: Value; count: number }> {
  const root: Container = { value };
  let count = 0;
  let looked = 0;
  // A growing list, not recursion, so that the depth does not matter.
  const containers = [{ container: root, name: '' }];
  for (const { container, name } of containers) {
    const items = Array.isArray(container) ? new SecretItems(name) : undefined;
    const beside = items === undefined ? secretsBeside(container) : [];
    for (const key of Object.keys(container)) {
      const child = container[key];
      looked += CHARACTERS_OF_VALUE + key.length + (typeof child === 'string' ? child.length : 0);
      if (typeof child === 'string') {
        const isSecret =
          items === undefined ? isSecretField(key, child) || beside.includes(key.toLowerCase()) : items.isNext(child);
        const redacted = isSecret ? { text: REDACTED, count: 1 } : yield* redactText(child);
        if (redacted.count > 0) container[key] = redacted.text;
        count += redacted.count;
      } else if (typeof child === 'object' && child !== null) {
        const copy = (Array.isArray(child) ? [...child] : { ...child }) as Container;
        container[key] = copy;
        containers.push({ container: copy, name: items === undefined ? key : name });
      }
      const named = key.length < SHORTEST_TOKEN ? undefined : yield* redactText(key);
      if (named !== undefined && named.count > 0) {
        container[named.text] = container[key];
        delete container[key];
        count += named.count;
      }
      if (looked < MOST_CHARACTERS) continue;
      looked = 0;
      yield;
    }
  }
  return { value: count === 0 ? value : (root['value'] as Value), count };
}

function secretsBeside(container: Container): readonly string[] {
  const texts = new SecretsBeside();
  for (const key of Object.keys(container)) {
    const text = container[key];
    if (typeof text === 'string') texts.note(key, text);
  }
  return texts.found();
}
