/** The weight of a set of terms, where each bit of a mask stands for one. */
export type MaskWeight = (mask: number) => number;

const TABLE_BITS = 10;
const TABLE_MASK = (1 << TABLE_BITS) - 1;

/** Adds up with three look-ups what is asked for tens of thousands of files. */
export function maskWeights(weights: ArrayLike<number>): MaskWeight {
  const [low, middle, high] = [0, 1, 2].map((table) => sums(weights, table * TABLE_BITS));
  return (mask) =>
    low![mask & TABLE_MASK]! +
    middle![(mask >>> TABLE_BITS) & TABLE_MASK]! +
    high![(mask >>> (2 * TABLE_BITS)) & TABLE_MASK]!;
}

function sums(weights: ArrayLike<number>, from: number): Float64Array {
  const table = new Float64Array(1 << TABLE_BITS);
  for (let bit = 0; bit < TABLE_BITS; bit++) {
    const weight = weights[from + bit] ?? 0;
    if (weight === 0) continue;
    for (let mask = 1 << bit; mask < table.length; mask++) if ((mask >> bit) & 1) table[mask]! += weight;
  }
  return table;
}

export function bitCount(mask: number): number {
  let count = 0;
  for (let rest = mask; rest !== 0; rest &= rest - 1) count++;
  return count;
}
