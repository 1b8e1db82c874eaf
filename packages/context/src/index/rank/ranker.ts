import { readFileSync } from 'node:fs';
import { type BoostedTrees, TreeScorer } from './boosted-trees.ts';
import { FEATURES } from './file-features.ts';

let ranker: TreeScorer | undefined;

/** The fitted weights, made by `training/ranker`. */
export function readRanker(): TreeScorer {
  if (ranker !== undefined) return ranker;
  const fitted = JSON.parse(readFileSync(new URL('../../../ranker.json', import.meta.url), 'utf8')) as BoostedTrees;
  if (fitted.features.join() !== FEATURES.join())
    throw new Error('ranker.json was fitted for other features; fit it again');
  return (ranker = new TreeScorer(fitted));
}
