/** Shorter values are words such as "1" and "true", which would be struck out of every sentence. */
const SHORTEST_SECRET = 6;

/**
 * A text with the names of secrets in place of their values. Programs repeat what they were given when they complain
 * ("the key sk-… is not valid"), and what they say is kept and shown to others than who configured it.
 */
export function hideSecrets(text: string, secrets: Iterable<readonly [name: string, value: string]>): string {
  let hidden = text;
  // A value may be a part of another one.
  for (const [name, value] of [...secrets].toSorted(([, a], [, b]) => b.length - a.length))
    if (value.length >= SHORTEST_SECRET) hidden = hidden.replaceAll(value, `[${name}]`);
  return hidden;
}
