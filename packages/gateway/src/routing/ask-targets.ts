import { DragomanError } from '@dragoman/protocol';
import { isTracing } from '@dragoman/server/base';
import { traceTarget } from '../metering/trace-model-call.ts';
import { judgeFailure } from './judge-failure.ts';
import { type Target, targetName } from './target.ts';
import { type QueuedCall, TargetQueue } from './target-queue.ts';

/** A call that looks for a target, and how it asks. */
export interface TargetSearch extends QueuedCall {
  /** Whether the answer comes in pieces; only then the time until it begins tells how fast a target is. */
  isStreamed: boolean;
  /** Names the conversation it belongs to; asked only where there is a choice. */
  conversation: () => string | undefined;
  /** Aborted when nobody waits for an answer. */
  signal: AbortSignal;
  /**
   * Asks a target, and tells when its answer begins. Resolves with an error as long as nothing of an answer has reached the
   * client; what goes wrong later is part of the answer.
   */
  attempt: (target: Target, begun: () => void) => Promise<DragomanError | undefined>;
}

/** Asks the targets of a route until one begins to answer; `TargetQueue` says whom. Gives back the last error when none does. */
export async function askTargets(search: TargetSearch): Promise<DragomanError | undefined> {
  const { route, signal } = search;
  const conversation = route.isSticky && route.targets.length > 1 ? search.conversation() : undefined;
  const queue = new TargetQueue(search, conversation);
  for (let turn = queue.next(); turn !== undefined; turn = queue.next()) {
    if (turn.waitMs > 0 && !(await hasWaited(turn.waitMs, search)))
      return queue.error ?? new DragomanError('cancelled', 'The call was cancelled.');
    const error = await askOne(search, turn.target, conversation);
    if (error === undefined || signal.aborted) return error;
    queue.failed(turn.target, error);
  }
  return queue.error;
}

/** Asks one target, and notes what that says about it. */
async function askOne(
  { route, watch, isStreamed, attempt }: TargetSearch,
  target: Target,
  conversation: string | undefined,
): Promise<DragomanError | undefined> {
  const startedAt = watch.now();
  const call = watch.rests.begin(target);
  let hasBegun = false;
  const begun = () => {
    if (hasBegun) return;
    hasBegun = true;
    call.answered();
    if (isStreamed && route.policy === 'fastest') watch.beginTimes.note(targetName(target), watch.now() - startedAt);
    if (conversation !== undefined) watch.conversations.note(conversation, targetName(target));
  };
  try {
    const error = isTracing() ? await traceTarget(target, () => attempt(target, begun)) : await attempt(target, begun);
    if (error === undefined) begun();
    else {
      const verdict = judgeFailure(error);
      if (verdict.kind === 'failed') call.failed(error.code, verdict);
      else if (verdict.kind === 'answered') call.answered();
    }
    return error;
  } finally {
    call.left(); // Does nothing where something was learned.
  }
}

/** False when the client left meanwhile. */
async function hasWaited(ms: number, { watch, signal }: TargetSearch): Promise<boolean> {
  try {
    await watch.wait(ms, signal);
    return !signal.aborted;
  } catch (error) {
    if (signal.aborted) return false;
    throw error;
  }
}
