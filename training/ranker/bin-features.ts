/** Features as small numbers: trees only ask on which side of a cut a value lies. */
export interface Binned {
  /** By feature, then row. In shared memory, so that workers fit on the same table. */
  bins: Uint8Array[];
  /** By feature: the upper edge of each bin but the last. */
  edges: number[][];
}

const BINS = 64;
const MOST_CUTS = 200;

export function binFeatures(columns: readonly Float32Array[]): Binned {
  const edges = columns.map(cutsOf);
  const bins = columns.map((column, feature) => {
    const cuts = edges[feature]!;
    const binned = new Uint8Array(new SharedArrayBuffer(column.length));
    for (let row = 0; row < column.length; row++) {
      let low = 0;
      let high = cuts.length;
      while (low < high) {
        const middle = (low + high) >> 1;
        if (column[row]! <= cuts[middle]!) high = middle;
        else low = middle + 1;
      }
      binned[row] = low;
    }
    return binned;
  });
  return { bins, edges };
}

/** Between all values where there are few; else so that bins are about as full as each other. */
function cutsOf(column: Float32Array): number[] {
  const values = column.toSorted();
  const distinct = values.filter((value, at) => at === 0 || value !== values[at - 1]);
  const cutAfter = (at: number) => (distinct[at]! + distinct[at + 1]!) / 2;
  if (distinct.length <= BINS) return Array.from({ length: distinct.length - 1 }, (_, at) => cutAfter(at));
  const places = new Map(Array.from(distinct, (value, at) => [value, at]));
  const chosen = new Set<number>();
  for (let cut = 1; cut < BINS; cut++) {
    const at = places.get(values[Math.floor((cut * values.length) / BINS)]!)!;
    if (at < distinct.length - 1) chosen.add(cutAfter(at));
  }
  // Rare high values tell as much as common low ones: some cuts are spread over what is distinct.
  for (let cut = 1; cut < BINS / 4; cut++) {
    const at = Math.floor((cut * distinct.length) / (BINS / 4));
    if (at < distinct.length - 1 && chosen.size < MOST_CUTS) chosen.add(cutAfter(at));
  }
  return [...chosen].sort((one, other) => one - other);
}
