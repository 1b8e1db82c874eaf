import { setImmediate as otherTurns } from 'node:timers/promises';
import type { Turns } from './redaction.ts';

/** So long others wait at most, in milliseconds, or for as long as one piece takes. */
const TURN_MS = 15;

/** Does the work piece by piece; where it takes long, others get their turn in between. */
export async function inTurns<Result>(turns: Turns<Result>): Promise<Result> {
  for (let until = performance.now() + TURN_MS; ;) {
    const { done, value } = turns.next();
    if (done === true) return value;
    if (performance.now() < until) continue;
    await otherTurns();
    until = performance.now() + TURN_MS;
  }
}
