import { readFileSync } from 'node:fs';
import { type BoostedTrees, TreeScorer } from './boosted-trees.ts';
import { FEATURES } from './feature-names.ts';

let ranker: TreeScorer | undefined;
let trees: BoostedTrees | undefined;

/** The fitted weights, made by `training/ranker`. */
export function readRanker(): TreeScorer {
  return (ranker ??= new TreeScorer(readFitted()));
}

/** The same as they are written down, to say why a file ranked: kept once that was asked. */
export function readTrees(): BoostedTrees {
  return (trees ??= readFitted());
}

function readFitted(): BoostedTrees {
  const fitted = JSON.parse(readFileSync(new URL('../../../ranker.json', import.meta.url), 'utf8')) as BoostedTrees;
  if (fitted.features.join() !== FEATURES.join())
    throw new Error('ranker.json was fitted for other features; fit it again');
  return fitted;
}
