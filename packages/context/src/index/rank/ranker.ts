import { readFileSync } from 'node:fs';
import type { BoostedTrees } from './boosted-trees.ts';
import { FEATURES } from './file-features.ts';

let ranker: BoostedTrees | undefined;

/** The fitted weights, made by `training/ranker`. */
export function readRanker(): BoostedTrees {
  if (ranker !== undefined) return ranker;
  const fitted = JSON.parse(readFileSync(new URL('../../../ranker.json', import.meta.url), 'utf8')) as BoostedTrees;
  if (fitted.features.join() !== FEATURES.join())
    throw new Error('ranker.json was fitted for other features; fit it again');
  return (ranker = fitted);
}
