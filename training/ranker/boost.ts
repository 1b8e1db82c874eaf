import type { Binned } from './bin-features.ts';
import { randomNumbers } from './random-numbers.ts';

/** Questions in a row, each with the files that compete for it. */
export interface Groups {
  /** Where each question's rows begin, and at the end how many rows there are. */
  starts: Uint32Array;
  /** By row. */
  isRight: Uint8Array;
  /** By question: how many right files there are, found or not. */
  right: Uint32Array;
  /** By question: how much it counts; 0 for one that is only scored. */
  weights: Float64Array;
}

export interface BoostOptions {
  trees: number;
  rate: number;
  leaves: number;
  leastRows: number;
  l2: number;
  /** Share of features a tree may use, and of questions it sees. */
  featureShare: number;
  groupShare: number;
  seed: number;
}

export interface Boosted {
  trees: WrittenTrees;
  /** By row, those of weight 0 included. */
  scores: Float64Array;
}

/**
 * Gradient boosting for rankings (LambdaMART): each tree learns which files should go up or down, weighted by what
 * swapping two of them would do to NDCG@10. Deterministic for a seed.
 */
export function boost(
  data: Binned,
  groups: Groups,
  featureNames: readonly string[],
  options: BoostOptions,
  afterTree: (tree: number, scores: Float64Array) => void = () => {},
): Boosted {
  const rowCount = groups.isRight.length;
  const scores = new Float64Array(rowCount);
  const gradients = new Float64Array(rowCount);
  const hessians = new Float64Array(rowCount);
  const lambdas = new Lambdas(groups, scores, gradients, hessians);
  const grower = new TreeGrower(data, gradients, hessians, options);
  const random = randomNumbers(options.seed);
  const sample = new Uint32Array(rowCount);
  const trees: WrittenTrees = { features: featureNames, roots: [], feature: [], value: [], right: [] };

  for (let tree = 0; tree < options.trees; tree++) {
    let sampled = 0;
    for (let group = 0; group < groups.right.length; group++) {
      if (groups.weights[group] === 0 || random() > options.groupShare) continue;
      sampled = lambdas.add(group, sample, sampled);
    }
    const features = [...featureNames.keys()].filter(
      (feature) => random() < options.featureShare && data.edges[feature]!.length > 0,
    );
    const root = grower.grow(sample.subarray(0, sampled), features);
    trees.roots.push(trees.feature.length);
    flatten(root, data, options.rate, trees);
    for (let row = 0; row < rowCount; row++) scores[row]! += options.rate * leafValue(root, data, row);
    afterTree(tree + 1, scores);
  }
  return { trees, scores };
}

/** Trees as they are written down. */
export interface WrittenTrees {
  features: readonly string[];
  roots: number[];
  feature: number[];
  value: number[];
  right: number[];
}

/** What each question wants of its files, for the scores they have now. */
class Lambdas {
  readonly #groups: Groups;
  readonly #scores: Float64Array;
  readonly #gradients: Float64Array;
  readonly #hessians: Float64Array;
  /** Rows of each question, best first. Little changes from tree to tree, so it is mended rather than sorted. */
  readonly #order: Uint32Array;
  readonly #rank: Uint32Array;

  constructor(groups: Groups, scores: Float64Array, gradients: Float64Array, hessians: Float64Array) {
    this.#groups = groups;
    this.#scores = scores;
    this.#gradients = gradients;
    this.#hessians = hessians;
    this.#order = Uint32Array.from(scores, (_, row) => row);
    this.#rank = new Uint32Array(scores.length);
  }

  /** Sets the gradients of one question, and adds the rows that have one to the sample. */
  add(group: number, sample: Uint32Array, sampled: number): number {
    const { isRight, starts } = this.#groups;
    const scores = this.#scores;
    const gradients = this.#gradients;
    const hessians = this.#hessians;
    const start = starts[group]!;
    const end = starts[group + 1]!;
    gradients.fill(0, start, end);
    hessians.fill(0, start, end);
    const order = this.#order;
    for (let at = start + 1; at < end; at++) {
      const row = order[at]!;
      let to = at;
      for (; to > start && scores[order[to - 1]!]! < scores[row]!; to--) order[to] = order[to - 1]!;
      order[to] = row;
    }
    let found = 0;
    for (let at = start; at < end; at++) {
      this.#rank[order[at]!] = at - start;
      found += isRight[order[at]!]!;
    }
    if (found === 0 || found === end - start) return sampled;
    let ideal = 0;
    for (let at = 0; at < Math.min(10, this.#groups.right[group]!); at++) ideal += discount(at);
    const weight = this.#groups.weights[group]! / ideal;
    const competing = Math.min(end, start + COMPETING);
    for (let at = start; at < end; at++) {
      const good = order[at]!;
      if (isRight[good] === 0) {
        if (at < competing) sample[sampled++] = good;
        continue;
      }
      sample[sampled++] = good;
      const worth = discount(this.#rank[good]!);
      for (let against = start; against < competing; against++) {
        const other = order[against]!;
        if (isRight[other] === 1) continue;
        const swap = weight * Math.abs(worth - discount(this.#rank[other]!));
        if (swap < 1e-4) continue;
        const chance = 1 / (1 + Math.exp(scores[good]! - scores[other]!));
        const lambda = swap * chance;
        const hessian = lambda * (1 - chance);
        gradients[good]! += lambda;
        gradients[other]! -= lambda;
        hessians[good]! += hessian;
        hessians[other]! += hessian;
      }
    }
    return sampled;
  }
}

/** Files further down than this are beaten; they teach nothing more. */
const COMPETING = 60;

/** Ten places count as in the measure; those behind keep a little pull, so that right files further down can rise. */
const DISCOUNTS = Float64Array.from({ length: 4096 }, (_, rank) => (rank < 10 ? 1 : 0.25) / Math.log2(rank + 2));
function discount(rank: number): number {
  return DISCOUNTS[rank]!;
}

interface Node {
  /** Its rows, as a stretch of the sample. */
  from: number;
  to: number;
  gradient: number;
  hessian: number;
  value: number;
  sums: Sums | undefined;
  split: Split | undefined;
  left: Node | undefined;
  right: Node | undefined;
}

interface Split {
  feature: number;
  bin: number;
  gain: number;
  leftGradient: number;
  leftHessian: number;
}

/** By feature and bin: what its rows add up to. */
interface Sums {
  gradients: Float64Array;
  hessians: Float64Array;
  counts: Int32Array;
}

const MOST_BINS = 256;

/** The leaf that gains most is split next, until there are enough. */
class TreeGrower {
  readonly #data: Binned;
  readonly #gradients: Float64Array;
  readonly #hessians: Float64Array;
  readonly #options: BoostOptions;
  readonly #spare: Uint32Array;
  readonly #pool: Sums[] = [];
  #sample: Uint32Array<ArrayBufferLike> = new Uint32Array();
  #features: readonly number[] = [];

  constructor(data: Binned, gradients: Float64Array, hessians: Float64Array, options: BoostOptions) {
    this.#data = data;
    this.#gradients = gradients;
    this.#hessians = hessians;
    this.#options = options;
    this.#spare = new Uint32Array(gradients.length);
  }

  grow(sample: Uint32Array, features: readonly number[]): Node {
    this.#sample = sample;
    this.#features = features;
    let gradient = 0;
    let hessian = 0;
    for (const row of sample) {
      gradient += this.#gradients[row]!;
      hessian += this.#hessians[row]!;
    }
    const root = this.#node(0, sample.length, gradient, hessian);
    root.sums = this.#sum(root);
    this.#chooseSplit(root);
    const leaves = [root];
    while (leaves.length < this.#options.leaves) {
      let next = leaves[0]!;
      for (const leaf of leaves) if ((leaf.split?.gain ?? 0) > (next.split?.gain ?? 0)) next = leaf;
      if (next.split === undefined) break;
      leaves.splice(leaves.indexOf(next), 1, ...this.#split(next, next.split));
    }
    for (const { sums } of leaves) if (sums !== undefined) this.#pool.push(sums);
    return root;
  }

  #node(from: number, to: number, gradient: number, hessian: number): Node {
    const value = gradient / (hessian + this.#options.l2);
    return {
      from,
      to,
      gradient,
      hessian,
      value,
      sums: undefined,
      split: undefined,
      left: undefined,
      right: undefined,
    };
  }

  #split(node: Node, split: Split): [Node, Node] {
    const middle = this.#partition(node, split);
    const left = this.#node(node.from, middle, split.leftGradient, split.leftHessian);
    const right = this.#node(middle, node.to, node.gradient - split.leftGradient, node.hessian - split.leftHessian);
    // Only the smaller side is counted; the other one is what remains.
    const [small, large] = middle - node.from < node.to - middle ? [left, right] : [right, left];
    small.sums = this.#sum(small);
    large.sums = subtract(node.sums!, small.sums, this.#features);
    node.sums = undefined;
    this.#chooseSplit(left);
    this.#chooseSplit(right);
    node.left = left;
    node.right = right;
    return [left, right];
  }

  #partition({ from, to }: Node, { feature, bin }: Split): number {
    const bins = this.#data.bins[feature]!;
    const sample = this.#sample;
    let left = from;
    let right = 0;
    for (let at = from; at < to; at++) {
      const row = sample[at]!;
      if (bins[row]! <= bin) sample[left++] = row;
      else this.#spare[right++] = row;
    }
    sample.set(this.#spare.subarray(0, right), left);
    return left;
  }

  #sum({ from, to }: Node): Sums {
    const size = this.#data.edges.length * MOST_BINS;
    const sums = this.#pool.pop() ?? {
      gradients: new Float64Array(size),
      hessians: new Float64Array(size),
      counts: new Int32Array(size),
    };
    for (const feature of this.#features) {
      const begin = feature * MOST_BINS;
      const end = begin + this.#data.edges[feature]!.length + 1;
      sums.gradients.fill(0, begin, end);
      sums.hessians.fill(0, begin, end);
      sums.counts.fill(0, begin, end);
      addUp(this.#sample, from, to, this.#data.bins[feature]!, this.#gradients, this.#hessians, sums, begin);
    }
    return sums;
  }

  #chooseSplit(node: Node): void {
    const { leastRows, l2 } = this.#options;
    const rows = node.to - node.from;
    if (rows < 2 * leastRows) return;
    const { gradients, hessians, counts } = node.sums!;
    const before = (node.gradient * node.gradient) / (node.hessian + l2);
    let best: Split | undefined;
    let bestGain = 1e-9;
    for (const feature of this.#features) {
      const cuts = this.#data.edges[feature]!.length;
      let gradient = 0;
      let hessian = 0;
      let count = 0;
      for (let cut = 0, at = feature * MOST_BINS; cut < cuts; cut++, at++) {
        if (counts[at] === 0) continue;
        gradient += gradients[at]!;
        hessian += hessians[at]!;
        count += counts[at]!;
        if (count < leastRows) continue;
        if (rows - count < leastRows) break;
        const restGradient = node.gradient - gradient;
        const restHessian = node.hessian - hessian + l2;
        const gain = (gradient * gradient) / (hessian + l2) + (restGradient * restGradient) / restHessian - before;
        if (gain <= bestGain) continue;
        bestGain = gain;
        best = { feature, bin: cut, gain, leftGradient: gradient, leftHessian: hessian };
      }
    }
    node.split = best;
  }
}

function addUp(
  sample: Uint32Array,
  from: number,
  to: number,
  bins: Uint8Array,
  gradients: Float64Array,
  hessians: Float64Array,
  sums: Sums,
  begin: number,
): void {
  const gradientSums = sums.gradients;
  const hessianSums = sums.hessians;
  const { counts } = sums;
  for (let at = from; at < to; at++) {
    const row = sample[at]!;
    const bin = begin + bins[row]!;
    gradientSums[bin] = gradientSums[bin]! + gradients[row]!;
    hessianSums[bin] = hessianSums[bin]! + hessians[row]!;
    counts[bin] = counts[bin]! + 1;
  }
}

function subtract(from: Sums, what: Sums, features: readonly number[]): Sums {
  for (const feature of features) {
    for (let at = feature * MOST_BINS; at < (feature + 1) * MOST_BINS; at++) {
      from.gradients[at]! -= what.gradients[at]!;
      from.hessians[at]! -= what.hessians[at]!;
      from.counts[at]! -= what.counts[at]!;
    }
  }
  return from;
}

function leafValue(root: Node, data: Binned, row: number): number {
  let node = root;
  while (node.left !== undefined)
    node = data.bins[node.split!.feature]![row]! <= node.split!.bin ? node.left : node.right!;
  return node.value;
}

function flatten(node: Node, data: Binned, rate: number, into: WrittenTrees): void {
  const at = into.feature.length;
  if (node.left === undefined) {
    into.feature.push(-1);
    into.value.push(round(rate * node.value));
    into.right.push(0);
    return;
  }
  into.feature.push(node.split!.feature);
  into.value.push(round(data.edges[node.split!.feature]![node.split!.bin]!));
  into.right.push(0);
  flatten(node.left, data, rate, into);
  into.right[at] = into.feature.length - at;
  flatten(node.right!, data, rate, into);
}

/** Single precision: enough for a score, and short to write down. */
function round(value: number): number {
  return Number(value.toPrecision(6));
}
