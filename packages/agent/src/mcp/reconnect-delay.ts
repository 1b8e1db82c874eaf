const FIRST_MS = 1000;
const LONGEST_MS = 60_000;

/**
 * How long to wait before the next attempt: a second, doubling up to a minute.
 *
 * A fifth of it is left to chance, so that servers that went away together are not all asked in the same moment.
 */
export function reconnectDelay(failures: number, random: () => number = Math.random): number {
  const full = Math.min(LONGEST_MS, FIRST_MS * 2 ** Math.max(0, failures - 1));
  return Math.round(full * (0.8 + 0.2 * random()));
}
