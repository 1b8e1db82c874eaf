/**
 * Fitted decision trees whose leaves add up to a score.
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

export function scoreByTrees(trees: BoostedTrees, features: Float32Array): number {
  const { feature, value, right } = trees;
  let score = 0;
  for (const root of trees.roots) {
    let node = root;
    while (feature[node]! >= 0) node += features[feature[node]!]! <= value[node]! ? 1 : right[node]!;
    score += value[node]!;
  }
  return score;
}
