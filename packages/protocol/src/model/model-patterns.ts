import { z } from 'zod';

/** As many as a person keeps an overview of, and short enough to be read at every call. */
const MOST_PATTERNS = 100;
const LONGEST_PATTERN = 200;

/** Names stand between commas on a command line; `*` stands for the rest of a name. */
const PATTERN = /^(?:\*|[^\s,*\p{Cc}]+\*?)$/u;

/** Names of models as clients ask for them, routes and `provider/model`; `*` at the end stands for any rest. */
export const modelPatternsSchema = z
  .array(
    z
      .string()
      .trim()
      .min(1)
      .max(LONGEST_PATTERN)
      .regex(PATTERN, 'expected a route or provider/model, with "*" at its end alone'),
  )
  .min(1)
  .max(MOST_PATTERNS)
  .overwrite((patterns) => [...new Set(patterns)]);
export type ModelPatterns = readonly string[];

/** Whether one of them stands for a name. */
export function matchesModel(patterns: ModelPatterns, name: string): boolean {
  return patterns.some((pattern) => (pattern.endsWith('*') ? name.startsWith(pattern.slice(0, -1)) : name === pattern));
}

/** The first of some patterns that stands for names which `wide` does not stand for. */
export function findWiderPattern(patterns: ModelPatterns, wide: ModelPatterns): string | undefined {
  return patterns.find((pattern) => !(pattern.endsWith('*') ? isCovered(pattern, wide) : matchesModel(wide, pattern)));
}

function isCovered(open: string, wide: ModelPatterns): boolean {
  return wide.some((pattern) => pattern.endsWith('*') && open.startsWith(pattern.slice(0, -1)));
}
