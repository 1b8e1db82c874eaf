import type { BoostedTrees } from './boosted-trees.ts';

/**
 * Says which features set a file apart from the others that were compared with it.
 *
 * At every node of a tree, a file can be expected to get what those that come by there get on average. On its way down
 * that changes at every split, and the change is the doing of the feature that is asked there. All changes add up to the
 * file's score less the average score, so what all files have in common counts for nothing.
 */
export class TreeAttribution {
  /** What a file can be expected to score before anything is known of it. */
  readonly base: number;
  readonly #trees: BoostedTrees;
  /** By node; of nodes that nobody comes by, nothing. */
  readonly #expected: Float64Array;

  constructor(trees: BoostedTrees, rows: readonly Float32Array[]) {
    this.#trees = trees;
    const sums = new Float64Array(trees.feature.length);
    const counts = new Uint32Array(trees.feature.length);
    countRows(trees, rows, sums, counts);
    this.#expected = sums.map((sum, node) => sum / Math.max(1, counts[node]!));
    this.base = trees.roots.reduce((total, root) => total + this.#expected[root]!, 0);
  }

  /** How much each feature of one of the rows added to its score, or took from it. */
  contributions(row: Float32Array): Float64Array {
    const expected = this.#expected;
    const found = new Float64Array(this.#trees.features.length);
    for (const root of this.#trees.roots) {
      let before = root;
      for (const node of wayOf(this.#trees, root, row)) {
        if (node !== root) found[this.#trees.feature[before]!]! += expected[node]! - expected[before]!;
        before = node;
      }
    }
    return found;
  }
}

function countRows(trees: BoostedTrees, rows: readonly Float32Array[], sums: Float64Array, counts: Uint32Array): void {
  for (const row of rows) {
    for (const root of trees.roots) {
      const way = wayOf(trees, root, row);
      const reached = trees.value[way.at(-1)!]!;
      for (const node of way) {
        sums[node]! += reached;
        counts[node]!++;
      }
    }
  }
}

/** The nodes a row comes by, the leaf it reaches last. */
function wayOf({ feature, value, right }: BoostedTrees, root: number, row: Float32Array): number[] {
  const way = [root];
  for (let node = root; feature[node]! >= 0;) {
    node = row[feature[node]!]! <= value[node]! ? node + 1 : node + right[node]!;
    way.push(node);
  }
  return way;
}
