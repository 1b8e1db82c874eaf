/** A place that is shown has a bar, however far it is behind. */
const LEAST = 0.06;

/**
 * How long the bar of each place is, beside that of the best. A score has no unit and may be below zero: only how far
 * places are apart means something.
 */
export function shareOfBest(scores: readonly number[]): number[] {
  const best = Math.max(...scores);
  const worst = Math.min(0, ...scores);
  if (!(best > worst)) return scores.map(() => 1);
  return scores.map((score) => LEAST + (1 - LEAST) * ((score - worst) / (best - worst)));
}
