import type { ConfigChange } from './edit-config.ts';

/** A change that could not be made, and why. */
export interface RefusedChange {
  change: ConfigChange;
  error: unknown;
}

/** What came of the changes that could be made. */
export interface FittedChanges<Result> {
  result: Result;
  kept: ConfigChange[];
  refused: RefusedChange[];
}

/**
 * The changes with which an attempt succeeds, as many as can be, in their order. Throws where it fails without any.
 *
 * What fails is tried again by halves, so that a bad one among many costs few attempts; and once more for as long as others
 * are added, because a change may need a later one.
 */
export function fitChanges<Result>(
  changes: readonly ConfigChange[],
  attempt: (changes: readonly ConfigChange[]) => Result,
): FittedChanges<Result> {
  const kept = new Set<ConfigChange>();
  const refused = new Map<ConfigChange, unknown>();
  let found: { result: Result } | undefined;
  const add = (some: readonly ConfigChange[]): void => {
    const added = new Set(some);
    try {
      found = { result: attempt(changes.filter((change) => kept.has(change) || added.has(change))) };
      for (const change of some) kept.add(change);
    } catch (error) {
      const middle = Math.ceil(some.length / 2);
      if (some.length === 1) refused.set(some[0]!, error);
      for (const half of [some.slice(0, middle), some.slice(middle)])
        if (half.length > 0 && half.length < some.length) add(half);
    }
  };
  let before: number;
  let open = changes;
  do {
    before = kept.size;
    add(open);
    open = changes.filter((change) => !kept.has(change));
  } while (open.length > 0 && kept.size > before);

  return {
    result: (found ?? { result: attempt([]) }).result,
    kept: changes.filter((change) => kept.has(change)),
    refused: open.map((change) => ({ change, error: refused.get(change) })),
  };
}
