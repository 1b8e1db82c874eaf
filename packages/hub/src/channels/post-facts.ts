import type { StoredPost } from './post-rows.ts';

/** Nothing was ever sent of it. */
export function isUntried({ receipt, isUncertain, state }: StoredPost): boolean {
  return receipt === undefined && !isUncertain && (state === 'wanted' || state === 'sending');
}

/** It is in the chat or on its way there, and not for good. */
export function isBegun({ state }: StoredPost): boolean {
  return state === 'sending' || state === 'shown' || state === 'wanted';
}

/** What a post is of, whether the number behind it counts its continuations or not. */
export function namesIn(key: string): [string, string] {
  const name = key.slice(key.indexOf(' ') + 1);
  return [name, name.replace(/ \d+$/, '')];
}

/** Parts are known by what is there, files and questions by what was taken out. */
export function isThere(key: string, parts: ReadonlySet<string>, takenOut: ReadonlyMap<string, unknown>): boolean {
  const names = namesIn(key);
  return key.startsWith('part ') ? names.some((name) => parts.has(name)) : !names.some((name) => takenOut.has(name));
}
