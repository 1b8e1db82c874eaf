import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type BoostedTrees, TreeScorer } from './boosted-trees.ts';

/** a <= 1 ? (b <= 5 ? 10 : 20) : 30, and b <= 2 ? 1 : 2. */
const TWO_TREES: BoostedTrees = {
  features: ['a', 'b'],
  roots: [0, 5],
  feature: [0, 1, -1, -1, -1, 1, -1, -1],
  value: [1, 5, 10, 20, 30, 2, 1, 2],
  right: [4, 2, 0, 0, 0, 2, 0, 0],
};

test.each([
  [1, 2, 11],
  [1, 5, 12],
  [1, 6, 22],
  [2, 0, 31],
  [2, 9, 32],
])('a = %d and b = %d score %d', (a, b, score) => {
  expect(new TreeScorer(TWO_TREES).score(Float32Array.of(a, b))).toBe(score);
});

test('the score is that of walking every tree from its root', () => {
  fc.assert(
    fc.property(
      fc.array(randomTree(4), { minLength: 1, maxLength: 6 }),
      fc.array(fc.tuple(fc.integer({ min: -3, max: 3 }), fc.integer({ min: -3, max: 3 })), { minLength: 1 }),
      (trees, rows) => {
        const written = write(trees);
        const scorer = new TreeScorer(written);
        for (const row of rows)
          expect(scorer.score(Float32Array.from(row))).toBe(
            trees.reduce<number>((sum, tree) => sum + walk(tree, row), 0),
          );
      },
    ),
    { seed: 1 },
  );
});

type Tree = number | { feature: number; threshold: number; left: Tree; right: Tree };

function randomTree(depth: number): fc.Arbitrary<Tree> {
  const leaf = fc.integer({ min: -100, max: 100 });
  if (depth === 0) return leaf;
  const child = randomTree(depth - 1);
  return fc.oneof(
    leaf,
    fc.record({ feature: fc.nat(1), threshold: fc.integer({ min: -3, max: 3 }), left: child, right: child }),
  );
}

function walk(tree: Tree, row: readonly number[]): number {
  if (typeof tree === 'number') return tree;
  return walk(row[tree.feature]! <= tree.threshold ? tree.left : tree.right, row);
}

function write(trees: readonly Tree[]): BoostedTrees {
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
