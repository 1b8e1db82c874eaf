/**
 * Fitted decision trees whose leaves add up to a score, as they are written down.
 *
 * Nodes of all trees lie in one row. A node with a feature sends a file left where its value is at most the threshold;
 * the right child stands `right` places further, the left one next to it. A node without one (-1) is a leaf.
 */
export interface BoostedTrees {
  features: readonly string[];
  /** Where each tree begins. */
  roots: readonly number[];
  feature: readonly number[];
  /** The threshold of a node, the value of a leaf. */
  value: readonly number[];
  right: readonly number[];
}

const MOST_LEAVES = 32;

/**
 * Scores rows of features.
 *
 * Walking a thousand small trees is one wrong guess of the processor after the other. Instead, all conditions on one
 * feature are gone through in the order of their thresholds, as far as they fail; a failed one strikes out the leaves
 * on its left. The first leaf left in each tree is the one a walk would have reached.
 */
export class TreeScorer {
  /** By feature: where its conditions begin, and at the end how many there are. */
  readonly #begins: Uint32Array;
  readonly #thresholds: Float64Array;
  readonly #trees: Uint16Array;
  readonly #masks: Uint32Array;
  /** By tree: the leaves that are left, and all of their values. */
  readonly #left: Uint32Array;
  readonly #values: Float64Array;

  constructor(trees: BoostedTrees) {
    const conditions: { feature: number; threshold: number; tree: number; mask: number }[] = [];
    this.#left = new Uint32Array(trees.roots.length);
    this.#values = new Float64Array(trees.roots.length * MOST_LEAVES);
    for (const [tree, root] of trees.roots.entries()) {
      let leaves = 0;
      const visit = (node: number): void => {
        const feature = trees.feature[node]!;
        if (feature < 0) {
          this.#values[tree * MOST_LEAVES + leaves++] = trees.value[node]!;
          return;
        }
        const first = leaves;
        visit(node + 1);
        const mask = ~(((2 ** (leaves - first) - 1) << first) >>> 0) >>> 0;
        conditions.push({ feature, threshold: trees.value[node]!, tree, mask });
        visit(node + trees.right[node]!);
      };
      visit(root);
      if (leaves > MOST_LEAVES) throw new Error(`tree ${tree} has ${leaves} leaves; ${MOST_LEAVES} is the most`);
    }
    conditions.sort((one, other) => one.feature - other.feature || one.threshold - other.threshold);
    this.#begins = new Uint32Array(trees.features.length + 1);
    for (const { feature } of conditions) this.#begins[feature + 1]!++;
    for (let feature = 0; feature < trees.features.length; feature++)
      this.#begins[feature + 1]! += this.#begins[feature]!;
    this.#thresholds = Float64Array.from(conditions, ({ threshold }) => threshold);
    this.#trees = Uint16Array.from(conditions, ({ tree }) => tree);
    this.#masks = Uint32Array.from(conditions, ({ mask }) => mask);
  }

  score(row: Float32Array): number {
    const left = this.#left.fill(0xffff_ffff);
    const thresholds = this.#thresholds;
    const trees = this.#trees;
    const masks = this.#masks;
    const values = this.#values;
    for (let feature = 0; feature < row.length; feature++) {
      const value = row[feature]!;
      const end = this.#begins[feature + 1]!;
      for (let at = this.#begins[feature]!; at < end && value > thresholds[at]!; at++) {
        const tree = trees[at]!;
        left[tree] = left[tree]! & masks[at]!;
      }
    }
    let score = 0;
    for (let tree = 0; tree < left.length; tree++) {
      const first = left[tree]!;
      score += values[tree * MOST_LEAVES + 31 - Math.clz32(first & -first)]!;
    }
    return score;
  }
}
