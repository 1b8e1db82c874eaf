/** Where a pair comes from. */
export const PAIR_KINDS = ['doc', 'name', 'inline', 'test', 'head', 'md', 'commit', 'both'] as const;

/** One of them. */
export type PairKind = (typeof PAIR_KINDS)[number];

/** Words that a person might ask with, and the words of the code they should lead to. */
export interface Pair {
  kind: PairKind;
  path: string;
  query: readonly string[];
  code: readonly string[];
}

/** How many words are kept of what is said. */
export const QUERY_WORDS = 48;
/** How many of the code, the words of its path before them. */
export const CODE_WORDS = 176;

/** A number for a text, the same on every machine. */
export function hashOf(text: string): number {
  let hash = 2166136261;
  for (let index = 0; index < text.length; index++) hash = Math.imul(hash ^ text.charCodeAt(index), 16777619);
  return hash >>> 0;
}
