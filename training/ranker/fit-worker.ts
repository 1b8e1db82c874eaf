import { parentPort, workerData } from 'node:worker_threads';
import type { Binned } from './bin-features.ts';
import { boost, type BoostOptions, type Groups, type WrittenTrees } from './boost.ts';

export interface FitData {
  data: Binned;
  groups: Groups;
  featureNames: readonly string[];
  /** After how many trees the scores are wanted. */
  checkpoints: readonly number[];
}

export interface FitJob {
  job: number;
  options: BoostOptions;
  weights: Float64Array;
}

export interface FitResult {
  job: number;
  trees: WrittenTrees;
  scores: Float64Array[];
}

const { data, groups, featureNames, checkpoints } = workerData as FitData;

parentPort!.on('message', ({ job, options, weights }: FitJob) => {
  const scores: Float64Array[] = [];
  const { trees } = boost(data, { ...groups, weights }, featureNames, options, (tree, now) => {
    if (checkpoints.includes(tree)) scores.push(now.slice());
  });
  parentPort!.postMessage({ job, trees, scores } satisfies FitResult);
});
