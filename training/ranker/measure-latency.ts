import { readFileSync } from 'node:fs';
import { collectCandidates } from '../../packages/context/src/index/rank/candidates.ts';
import { fileFeatures } from '../../packages/context/src/index/rank/file-features.ts';
import { liveSegments } from '../../packages/context/src/index/rank/live-segment.ts';
import { readQuestion } from '../../packages/context/src/index/rank/question.ts';
import { readRanker } from '../../packages/context/src/index/rank/ranker.ts';
import { SegmentReader } from '../../packages/context/src/index/segment/segment-reader.ts';

/**
 * How much processor time questions take on one segment, so that a busy machine does not matter:
 * `measure-latency.ts SEGMENT QUESTIONS.txt`, one question a line.
 */
const [file = '', questionFile = ''] = process.argv.slice(2);
const queries = readFileSync(questionFile, 'utf8').trim().split('\n');
const reader = new SegmentReader(file);
const blobNames = new Set(Array.from({ length: reader.fileCount }, (_, index) => reader.blobName(index)));
const segments = liveSegments([reader], { key: file, blobNames });
const ranker = readRanker();
for (const round of ['first', 'second', 'third']) {
  const times = queries.map((query) => {
    const start = processorTime();
    const question = readQuestion(query);
    const collected = collectCandidates(segments, question);
    const found = processorTime();
    const rows = fileFeatures(question, collected);
    const described = processorTime();
    for (const row of rows) ranker.score(row);
    const end = processorTime();
    return { find: found - start, describe: described - found, score: end - described, all: end - start };
  });
  const at = (share: number, part: keyof (typeof times)[0]) =>
    times.map((time) => time[part]).sort((one, other) => one - other)[Math.floor(share * (times.length - 1))]!.toFixed(1);
  for (const part of ['find', 'describe', 'score', 'all'] as const)
    console.log(`${round} ${part}: p50 ${at(0.5, part)} ms, p95 ${at(0.95, part)} ms`);
}

/** In milliseconds. */
function processorTime(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}
