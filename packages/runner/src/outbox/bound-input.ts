/** What a hub takes at once is more; a call with more in it than this was not meant for anybody to read. */
const DEEPEST = 50;
const MOST_VALUES = 20_000;
const LONGEST_TEXT = 8 * 1024 * 1024;
const SHOWN_TEXT = 64 * 1024;

/**
 * The input of a call as it can be sent: one that is nested without end, or has no end in length, becomes a text with its
 * beginning. A hub would refuse it, and with it everything that waits behind it.
 */
export function boundInput(input: Record<string, unknown>): Record<string, unknown> {
  return isBounded(input) ? input : { input: `${JSON.stringify(input).slice(0, SHOWN_TEXT)}…` };
}

function isBounded(input: unknown): boolean {
  let [values, length] = [0, 0];
  let level: unknown[] = [input];
  for (let depth = 0; level.length > 0; depth++) {
    values += level.length;
    if (depth > DEEPEST || values > MOST_VALUES || length > LONGEST_TEXT) return false;
    const inner: unknown[] = [];
    for (const value of level) {
      if (typeof value === 'string') length += value.length;
      else if (typeof value === 'object' && value !== null) for (const one of Object.values(value)) inner.push(one);
    }
    level = inner;
  }
  return length <= LONGEST_TEXT;
}
