import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type BoostedTrees, TreeScorer } from './boosted-trees.ts';
import { type Tree, treesAndRows, writeTrees } from './random-trees.fixture.ts';

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
    fc.property(...treesAndRows(), (trees, rows) => {
      const scorer = new TreeScorer(writeTrees(trees));
      for (const row of rows)
        expect(scorer.score(Float32Array.from(row))).toBe(
          trees.reduce<number>((sum, tree) => sum + walk(tree, row), 0),
        );
    }),
    { seed: 1 },
  );
});

function walk(tree: Tree, row: readonly number[]): number {
  if (typeof tree === 'number') return tree;
  return walk(row[tree.feature]! <= tree.threshold ? tree.left : tree.right, row);
}
