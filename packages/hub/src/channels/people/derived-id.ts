import { createHash } from 'node:crypto';

/** Crockford's alphabet, as in every other id. */
const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz';
const CHARS = 26;

/**
 * An id that follows from names: the same message is the same prompt and the same session, however often a platform tells
 * of it and whatever ended in between.
 */
export function derivedId(prefix: 'msg' | 'ses', ...names: readonly string[]): string {
  const hash = createHash('sha256').update(JSON.stringify(names)).digest();
  let text = '';
  for (let index = 0; index < CHARS; index++) text += ALPHABET[hash[index]! & 31]!;
  return `${prefix}_${text}`;
}
