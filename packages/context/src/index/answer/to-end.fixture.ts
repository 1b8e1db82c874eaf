import type { Turns } from '@dragoman/protocol/secrets';

/** Takes all the turns at once: what comes of them, and how many there were. */
export function toEnd<Result>(turns: Turns<Result>): { result: Result; count: number } {
  for (let count = 0; ; count++) {
    const { done, value } = turns.next();
    if (done === true) return { result: value, count };
  }
}
