import { once } from 'node:events';
import { expect, test } from 'vitest';
import { startWorker } from '../../start-worker.ts';
import { CodeVectors } from '../vectors/code-vectors.ts';
import { wordVectors } from '../vectors/word-vectors.fixture.ts';
import { compareMeaning, fileMeaning, meaningsOf } from '../rank/file-meaning.ts';
import { liveFiles } from '../rank/live.fixture.ts';
import type { LiveSegment } from '../rank/live-segment.ts';
import type { ScanMessage } from './scan-messages.ts';
import { ScanThread } from './scan-thread.ts';
import { SharedWork } from './shared-work.ts';

const WORDS = ['retry', 'backoff', 'mail', 'letter', 'cache', 'paint', 'queue', 'token'];
const vectors = new CodeVectors(wordVectors(...WORDS));

/** Files of some of the words each, in segments of their own. */
function segmentsOf(count: number): LiveSegment[] {
  return liveFiles(
    Array.from({ length: count }, (_, segment) =>
      Object.fromEntries(
        Array.from({ length: 3 + ((segment * 7) % 11) }, (_file, file) => [
          `${WORDS[file % WORDS.length]}/${segment}-${file}.ts`,
          `export function ${WORDS[(segment + file) % WORDS.length]}() {\n  ${WORDS[(segment * file) % WORDS.length]}();\n}\n`,
        ]),
      ),
    ),
    ['retry/0-0.ts'],
    vectors,
  );
}

/** What the comparison says of every file. */
function said(segments: readonly LiveSegment[], found: ReturnType<ReturnType<typeof compareMeaning>>) {
  return segments.map((segment, at) => Array.from(segment.isLive, (_, file) => fileMeaning(found[at]!, segment, file)));
}

test('questions are compared as without the thread, from its start on, with segments that come and go', () => {
  const scans = new ScanThread();
  const all = segmentsOf(9);
  // The same in tables that the thread does not see: it may still be at work on a round that nobody asks for.
  const apart = segmentsOf(9);
  for (let round = 0; round < 400; round++) {
    const isThere = (_: LiveSegment, at: number) => (round >> 5) % (at + 2) !== 1;
    const segments = all.filter(isThere);
    const question = vectors.question(`${WORDS[round % 8]} ${WORDS[(round >> 3) % 8]}`)!;
    const expected = said(apart.filter(isThere), compareMeaning(apart.filter(isThere), question)());
    const compared = scans.compare(segments, question);
    // One that is begun and never asked for is in nobody's way.
    if (round % 7 === 0) continue;
    expect(said(segments, compared())).toEqual(expected);
    if (round % 50 === 49) scans.forget(all[round % 9]!.reader);
  }
});

test('the thread does all of a round that nobody else takes a piece of', async () => {
  const segments = segmentsOf(4);
  const question = vectors.question('retry mail')!;
  const work = new SharedWork();
  const thread = startWorker('scan-worker', import.meta.url, { workerData: work.state });
  const tell = (message: ScanMessage) => thread.postMessage(message);
  await once(thread, 'online');

  const round = work.begin(0) as number;
  const nearness = segments.map(({ reader }, id) => {
    const near = new Float32Array(new SharedArrayBuffer(reader.fileCount * 4));
    const [chunks, paths] = [reader.vectors('chunkVectors').shared, reader.vectors('pathVectors').shared];
    tell({ know: { id, chunks, paths, firstChunk: reader.section('fileFirstChunk'), nearness: near } });
    return near;
  });
  tell({ round, segments: [0, 1, 2, 3], question: question.numbers });

  expect(work.hasEnded(4, 60_000)).toBe(true);
  const found = meaningsOf(segments, question, nearness);
  expect(said(segments, found)).toEqual(said(segments, compareMeaning(segmentsOf(4), question)()));
  await thread.terminate();
});
