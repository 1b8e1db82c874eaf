import type { DragomanError } from '@dragoman/protocol';
import type { Target } from './target.ts';

/** Asks targets in turn until one begins to answer. Gives back the last error when none does. */
export async function tryTargets(
  targets: readonly Target[],
  signal: AbortSignal,
  attempt: (target: Target) => Promise<DragomanError | undefined>,
): Promise<DragomanError | undefined> {
  let error: DragomanError | undefined;
  for (const target of targets) {
    error = await attempt(target);
    if (error === undefined) return undefined;
    if (!error.isRetryable || signal.aborted) return error;
  }
  return error;
}
