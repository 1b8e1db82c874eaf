import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type BoostedTrees, TreeScorer } from './boosted-trees.ts';
import { FEATURES } from './feature-names.ts';
import { treesAndRows, writeTrees } from './random-trees.fixture.ts';
import { readRanker, readTrees } from './ranker.ts';
import { TreeAttribution } from './tree-attribution.ts';

/** a <= 1 ? (b <= 5 ? 10 : 20) : 30 */
const ONE_TREE: BoostedTrees = {
  features: ['a', 'b'],
  roots: [0],
  feature: [0, 1, -1, -1, -1],
  value: [1, 5, 10, 20, 30],
  right: [4, 2, 0, 0, 0],
};
const rowOf = (a: number, b: number) => Float32Array.of(a, b);

test('a file is compared with those that are asked about together: what they have in common adds nothing', () => {
  const rows = [rowOf(1, 5), rowOf(1, 6), rowOf(0, 7), rowOf(0, 8)];
  const attribution = new TreeAttribution(ONE_TREE, rows);

  expect(attribution.base).toBe(17.5);
  expect(rows.map((row) => [...attribution.contributions(row)])).toEqual([
    [0, -7.5],
    [0, 2.5],
    [0, 2.5],
    [0, 2.5],
  ]);
});

test('a feature that is asked after another has added what is left', () => {
  const rows = [rowOf(1, 5), rowOf(1, 6), rowOf(2, 0), rowOf(2, 9)];
  const attribution = new TreeAttribution(ONE_TREE, rows);

  expect(attribution.base).toBe(22.5);
  expect(rows.map((row) => [...attribution.contributions(row)])).toEqual([
    [-7.5, -5],
    [-7.5, 5],
    [7.5, 0],
    [7.5, 0],
  ]);
});

/** How far what the features added is from the score less the base, for the row where it is furthest. */
function furthest(trees: BoostedTrees, scorer: TreeScorer, rows: readonly Float32Array[]): number {
  const attribution = new TreeAttribution(trees, rows);
  const distances = rows.map((row) => {
    const added = attribution.contributions(row).reduce((sum, value) => sum + value, 0);
    return Math.abs(added - (scorer.score(row) - attribution.base));
  });
  return Math.max(...distances);
}

test('what the features added is the score less the base, whatever the trees', () => {
  fc.assert(
    fc.property(...treesAndRows(), (trees, values) => {
      const written = writeTrees(trees);
      const rows = values.map((row) => Float32Array.from(row));
      expect(furthest(written, new TreeScorer(written), rows)).toBeLessThan(1e-6);
    }),
    { seed: 1 },
  );
});

test('the same is true of the shipped weights', () => {
  const length = { minLength: FEATURES.length, maxLength: FEATURES.length };
  const row = fc.float32Array({ ...length, min: 0, max: 12, noNaN: true });
  fc.assert(
    fc.property(fc.array(row, { minLength: 1, maxLength: 20 }), (rows) => {
      expect(furthest(readTrees(), readRanker(), rows)).toBeLessThan(1e-6);
    }),
    { seed: 1 },
  );
});
