import { setImmediate as otherTurns } from 'node:timers/promises';
import { DragomanError } from '@dragoman/protocol';
import type { Turns } from '@dragoman/protocol/secrets';

/** So long others wait at most, in milliseconds, or for as long as one piece takes. */
const TURN_MS = 15;

/** Does the work piece by piece; where it takes long, others get their turn in between, and nobody works for a client that left. */
export async function inTurns<Result>(turns: Turns<Result>, signal?: AbortSignal): Promise<Result> {
  for (let until = performance.now() + TURN_MS; ;) {
    const { done, value } = turns.next();
    if (done === true) return value;
    if (performance.now() < until) continue;
    await otherTurns();
    if (signal?.aborted === true)
      throw new DragomanError('cancelled', 'The client disconnected before its request was answered.');
    until = performance.now() + TURN_MS;
  }
}
