import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { Worker } from 'node:worker_threads';
import { FEATURES, type FeatureName } from '../../packages/context/src/index/rank/feature-names.ts';
import { builtInVectors } from '../../packages/context/src/index/vectors/built-in-vectors.ts';
import { readOrStop, stop } from '../stop.ts';
import { averageTrees } from './average-trees.ts';
import { binFeatures } from './bin-features.ts';
import type { BoostOptions, Groups, WrittenTrees } from './boost.ts';
import type { QuestionScore } from './compare.ts';
import { makeDataset } from './dataset.ts';
import type { FitData, FitJob, FitResult } from './fit-worker.ts';
import { type LabelledQuestion, loadQuestions } from './load-questions.ts';

/** Fits the ranker: `fit.ts DATA BASE` scores it out of fold by repository, `--write` fits on everything and writes it. */
const { values: flags, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    folds: { type: 'string', default: '10' },
    bags: { type: 'string', default: '3' },
    trees: { type: 'string', default: '240' },
    rate: { type: 'string', default: '0.12' },
    leaves: { type: 'string', default: '5' },
    rows: { type: 'string', default: '40' },
    l2: { type: 'string', default: '2' },
    features: { type: 'string', default: '0.4' },
    groups: { type: 'string', default: '0.7' },
    seed: { type: 'string', default: '1' },
    full: { type: 'string', default: '1' },
    commit: { type: 'string', default: '2.5' },
    chinese: { type: 'string', default: '1' },
    workers: { type: 'string', default: '2' },
    without: { type: 'string', default: '' },
    misses: { type: 'boolean', default: false },
    words: { type: 'boolean', default: false },
    scores: { type: 'string' },
    write: { type: 'boolean', default: false },
  },
});
const [data, base] = positionals;
if (data === undefined || base === undefined) stop('npm run fit-ranker -- DATA BASE [--write]');
const options: BoostOptions = {
  trees: Number(flags.trees),
  rate: Number(flags.rate),
  leaves: Number(flags.leaves),
  leastRows: Number(flags.rows),
  l2: Number(flags.l2),
  featureShare: Number(flags.features),
  groupShare: Number(flags.groups),
  seed: Number(flags.seed),
};
const bags = Number(flags.bags);
const folds = Number(flags.folds);
/** The same question over a part and over the whole of a repository is one question asked twice. */
const SET_WEIGHTS = {
  semble: 1,
  'semble-full': Number(flags.full),
  commit: Number(flags.commit),
  chinese: Number(flags.chinese),
};

const log = (line: string) => process.stderr.write(`${line}\n`);
const say = (line: string) => process.stdout.write(`${line}\n`);
const questions = readOrStop(data, () => loadQuestions(data, base));
const dataset = makeDataset(questions, {
  cache: join(base, 'segments'),
  vectors: flags.words ? undefined : builtInVectors(),
  log,
});
for (const name of flags.without.split(',').filter((name) => name !== ''))
  dataset.columns[FEATURES.indexOf(name as FeatureName)]!.fill(0);
const groups: Groups = {
  starts: dataset.starts,
  isRight: dataset.isRight,
  right: Uint32Array.from(questions, ({ right }) => right.length),
  weights: Float64Array.from(questions, ({ set }) => SET_WEIGHTS[set]),
};
const repos = [...new Set(questions.map(({ repo }) => repo))].sort();
const foldOf = new Map(repos.map((repo, index) => [repo, index % folds]));
const checkpoints = [0.5, 0.75, 1].map((share) => Math.round(options.trees * share));
const fitted = await fitAll(flags.write ? wholeJobs() : foldJobs());
if (flags.write) write(fitted.map(({ trees }) => trees));
else report(fitted.map(({ scores }) => scores));

function wholeJobs(): FitJob[] {
  return Array.from({ length: bags }, (_, bag) => ({ job: bag, options: seeded(bag), weights: groups.weights }));
}

function foldJobs(): FitJob[] {
  return Array.from({ length: folds * bags }, (_, job) => {
    const fold = Math.floor(job / bags);
    const weights = groups.weights.map((weight, index) => (foldOf.get(questions[index]!.repo) === fold ? 0 : weight));
    return { job, options: seeded(job % bags), weights };
  });
}

function seeded(bag: number): BoostOptions {
  return { ...options, seed: options.seed + 101 * bag };
}

/** Results do not depend on which worker took which job. */
async function fitAll(jobs: FitJob[]): Promise<FitResult[]> {
  const workerData: FitData = { data: binFeatures(dataset.columns), groups, featureNames: FEATURES, checkpoints };
  const results: FitResult[] = [];
  const waiting = [...jobs];
  await Promise.all(
    Array.from({ length: Math.min(Number(flags.workers), jobs.length) }, async () => {
      const worker = new Worker(new URL('fit-worker.ts', import.meta.url), { workerData });
      for (let job = waiting.shift(); job !== undefined; job = waiting.shift()) {
        worker.postMessage(job);
        results[job.job] = await new Promise<FitResult>((resolve, reject) => {
          worker.once('message', resolve);
          worker.once('error', reject);
        });
        worker.removeAllListeners('error');
      }
      await worker.terminate();
    }),
  );
  return results;
}

function write(models: WrittenTrees[]): void {
  const file = new URL('../../packages/context/ranker.json', import.meta.url);
  const text = `${JSON.stringify(averageTrees(models))}\n`;
  writeFileSync(file, text);
  log(`packages/context/ranker.json: ${text.length} bytes`);
}

interface Scored {
  question: LabelledQuestion;
  ndcg: number;
  recall: number;
  isFound: boolean;
  order: string[];
}

function report(scores: Float64Array[][]): void {
  for (const [at, trees] of checkpoints.entries()) {
    const alone = Array.from({ length: bags }, (_, bag) =>
      questions.map((_question, index) => evaluate(index, [scores[foldIndex(index) * bags + bag]![at]!])),
    );
    const together = questions.map((_question, index) =>
      evaluate(
        index,
        Array.from({ length: bags }, (_, bag) => scores[foldIndex(index) * bags + bag]![at]!),
      ),
    );
    say(`${trees} trees, ${bags} bags averaged`);
    summarise(together);
    if (bags > 1) {
      const ofSet = (set: string) =>
        alone.map((those) => mean(those.filter(({ question }) => question.set === set).map(({ ndcg }) => ndcg)));
      for (const set of Object.keys(SET_WEIGHTS)) say(`    ${set} by bag: ${ofSet(set).join(' ')}`);
    }
    if (at < checkpoints.length - 1) continue;
    if (flags.misses) listMisses(together);
    if (flags.scores !== undefined) writeScores(flags.scores, together);
  }
}

/** For `compare.ts`. */
function writeScores(file: string, all: readonly Scored[]): void {
  const scores = all.map(({ question: { set, id }, ndcg, recall }): QuestionScore => ({ set, id, ndcg, recall }));
  writeFileSync(file, JSON.stringify(scores));
}

function foldIndex(question: number): number {
  return foldOf.get(questions[question]!.repo)!;
}

function evaluate(index: number, models: Float64Array[]): Scored {
  const question = questions[index]!;
  const start = dataset.starts[index]!;
  const end = dataset.starts[index + 1]!;
  const score = (row: number) => models.reduce((sum, scores) => sum + scores[row]!, 0);
  const order = Array.from({ length: end - start }, (_, at) => ({ row: start + at, score: score(start + at) }))
    .sort((one, other) => other.score - one.score)
    .map(({ row }) => row);
  let gain = 0;
  let ideal = 0;
  let hits = 0;
  for (let at = 0; at < 10; at++) {
    if (at < order.length && dataset.isRight[order[at]!] === 1) {
      gain += 1 / Math.log2(at + 2);
      hits++;
    }
    if (at < question.right.length) ideal += 1 / Math.log2(at + 2);
  }
  return {
    question,
    ndcg: gain / ideal,
    recall: hits / question.right.length,
    isFound: order.some((row) => dataset.isRight[row] === 1),
    order: order.map((row) => dataset.paths[row]!),
  };
}

function summarise(all: Scored[]): void {
  for (const [set, those] of Map.groupBy(all, ({ question }) => question.set)) {
    const categories = [...Map.groupBy(those, ({ question }) => question.category)].map(
      ([category, some]) => `${category} ${mean(some.map(({ ndcg }) => ndcg))}`,
    );
    say(
      `  ${set}: ndcg ${mean(those.map(({ ndcg }) => ndcg))} recall ${mean(those.map(({ recall }) => recall))} found ${mean(those.map(({ isFound }) => (isFound ? 1 : 0)))} | ${categories.join(', ')}`,
    );
  }
}

function listMisses(all: Scored[]): void {
  const missed = all.filter(({ ndcg, question }) => ndcg < 0.7 && question.set !== 'semble-full');
  for (const { question, ndcg, order } of missed.sort((one, other) => one.ndcg - other.ndcg))
    say(
      [
        ndcg.toFixed(2),
        question.repo,
        question.category,
        question.query,
        `want ${question.right.map(({ path }) => `${path}@${order.indexOf(path) + 1}`).join(' ')}`,
        `got ${order.slice(0, 4).join(' ')}`,
      ].join(' | '),
    );
}

function mean(values: number[]): string {
  return (values.reduce((sum, value) => sum + value, 0) / values.length).toFixed(4);
}
