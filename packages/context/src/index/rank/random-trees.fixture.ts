import fc from 'fast-check';
import type { BoostedTrees } from './boosted-trees.ts';

/** A tree over the features `a` and `b`, before it is written down: a leaf's value, or a split. */
export type Tree = number | { feature: number; threshold: number; left: Tree; right: Tree };

/** Trees of at most this depth. */
function randomTree(depth: number): fc.Arbitrary<Tree> {
  const leaf = fc.integer({ min: -100, max: 100 });
  if (depth === 0) return leaf;
  const child = randomTree(depth - 1);
  return fc.oneof(
    leaf,
    fc.record({ feature: fc.nat(1), threshold: fc.integer({ min: -3, max: 3 }), left: child, right: child }),
  );
}

/** Several trees, and rows to be scored by them. */
export function treesAndRows(): [fc.Arbitrary<Tree[]>, fc.Arbitrary<[number, number][]>] {
  return [
    fc.array(randomTree(4), { minLength: 1, maxLength: 6 }),
    fc.array(fc.tuple(fc.integer({ min: -3, max: 3 }), fc.integer({ min: -3, max: 3 })), { minLength: 1 }),
  ];
}

/** The trees as a ranker's file has them. */
export function writeTrees(trees: readonly Tree[]): BoostedTrees {
  const roots: number[] = [];
  const feature: number[] = [];
  const value: number[] = [];
  const right: number[] = [];
  const add = (tree: Tree): void => {
    const at = feature.length;
    feature.push(typeof tree === 'number' ? -1 : tree.feature);
    value.push(typeof tree === 'number' ? tree : tree.threshold);
    right.push(0);
    if (typeof tree === 'number') return;
    add(tree.left);
    right[at] = feature.length - at;
    add(tree.right);
  };
  for (const tree of trees) {
    roots.push(feature.length);
    add(tree);
  }
  return { features: ['a', 'b'], roots, feature, value, right };
}
