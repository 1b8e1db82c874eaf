/** How many names are handled before others get their turn: a few tens of milliseconds. */
export const NAMES_PER_TURN = 20_000;

/** Lets whatever else waits on this thread go on: a long list of one user's must not hold up everybody. */
export function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

/** A long list in pieces, with a turn for others between them. */
export async function* inTurns(names: readonly string[]): AsyncGenerator<readonly string[]> {
  for (let start = 0; start < names.length; start += NAMES_PER_TURN) {
    if (start > 0) await nextTurn();
    yield names.length <= NAMES_PER_TURN ? names : names.slice(start, start + NAMES_PER_TURN);
  }
}
