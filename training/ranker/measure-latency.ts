import { readFileSync } from 'node:fs';
import { collectCandidates } from '../../packages/context/src/index/rank/candidates.ts';
import { compareMeaning } from '../../packages/context/src/index/rank/file-meaning.ts';
import { fileFeatures } from '../../packages/context/src/index/rank/file-features.ts';
import { liveSegments } from '../../packages/context/src/index/rank/live-segment.ts';
import { readQuestion } from '../../packages/context/src/index/rank/question.ts';
import { readRanker } from '../../packages/context/src/index/rank/ranker.ts';
import { builtInVectors } from '../../packages/context/src/index/vectors/built-in-vectors.ts';
import { SegmentReader } from '../../packages/context/src/index/segment/segment-reader.ts';
import { readOrStop, stop } from '../stop.ts';

/**
 * How long questions take on one segment: `measure-latency.ts SEGMENT QUESTIONS.txt`, one question a line.
 *
 * The first round is a cold one. Of the others the fastest counts for each question, which is what an idle core gives.
 */
const [file, questionFile] = process.argv.slice(2);
if (file === undefined || questionFile === undefined) stop('measure-latency.ts SEGMENT QUESTIONS.txt');
const ROUNDS = 6;
const PARTS = ['find', 'describe', 'score', 'all'] as const;
type Times = Record<(typeof PARTS)[number], number>;

const queries = readOrStop(questionFile, () => readFileSync(questionFile, 'utf8').trim().split('\n'));
const reader = readOrStop(file, () => new SegmentReader(file));
const blobNames = new Set(Array.from({ length: reader.fileCount }, (_, index) => reader.blobName(index)));
const segments = liveSegments([reader], { key: file, blobNames });
const ranker = readRanker();
const vectors = builtInVectors();

const rounds = Array.from({ length: ROUNDS }, () => queries.map(time));
report('cold', rounds[0]!);
report(
  'warm',
  queries.map((_, query) =>
    rounds
      .slice(1)
      .map((round) => round[query]!)
      .reduce((one, other) => (other.all < one.all ? other : one)),
  ),
);

function time(query: string): Times {
  const start = performance.now();
  const question = readQuestion(query, vectors.translate(query));
  const vector = question.hasMeaning ? vectors.question(query) : undefined;
  const collected = collectCandidates(segments, question, vector && compareMeaning(segments, vector));
  const found = performance.now();
  const rows = fileFeatures(question, collected, question.hasMeaning ? vectors.nameLikeness(query) : undefined);
  const described = performance.now();
  for (const row of rows) ranker.score(row);
  const end = performance.now();
  return { find: found - start, describe: described - found, score: end - described, all: end - start };
}

function report(name: string, times: readonly Times[]): void {
  for (const part of PARTS) {
    const sorted = times.map((of) => of[part]).sort((one, other) => one - other);
    const at = (share: number) => sorted[Math.floor(share * (sorted.length - 1))]!.toFixed(1);
    process.stdout.write(`${name} ${part}: p50 ${at(0.5)} ms, p95 ${at(0.95)} ms\n`);
  }
}
