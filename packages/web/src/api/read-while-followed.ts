import type { HubChange } from '@dragoman/protocol';
import { subjectOf } from './put-changes.ts';

/** For each answer that is on its way: what was told of since it was asked for. */
const underWay = new Set<Map<string, HubChange>>();

/** Notes what was told, for answers that are on their way. */
export function noteChanges(changes: readonly HubChange[]): void {
  for (const told of underWay) for (const change of changes) told.set(subjectOf(change), change);
}

/**
 * Reads what is also told of as it changes. The server may have answered before a change that was told meanwhile, and the answer
 * would undo it for good, so the changes are put into the answer. One that is older than the answer does no harm: whatever came after it
 * is told as well.
 */
export async function readWhileFollowed<Answer>(
  read: () => Promise<Answer>,
  put: (answer: Answer, changes: readonly HubChange[]) => Answer,
): Promise<Answer> {
  const told = new Map<string, HubChange>();
  underWay.add(told);
  try {
    const answer = await read();
    return told.size === 0 ? answer : put(answer, [...told.values()]);
  } finally {
    underWay.delete(told);
  }
}
