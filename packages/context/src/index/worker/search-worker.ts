import { unpackNames } from '../blobs/packed-names.ts';
import type { Hit } from '../code-index.ts';
import { readFactsAhead } from '../rank/file-facts.ts';
import { findSymbol } from '../rank/find-symbol.ts';
import { type LiveSegment, liveSegments } from '../rank/live-segment.ts';
import { type RankedBy, rankFiles } from '../rank/rank-files.ts';
import { readRanker, readTrees } from '../rank/ranker.ts';
import { SegmentReader } from '../segment/segment-reader.ts';
import { builtInVectors } from '../vectors/built-in-vectors.ts';
import { packQuery } from '../vectors/pack-query.ts';
import type { BrokenSegment } from './build-worker.ts';
import { ScanThread } from './scan-thread.ts';
import { givenSpace, spaceInUse } from './vectors-in-use.ts';
import { answerCalls } from './worker-calls.ts';

/** A view by its key; its names, 32 bytes each, come along when this worker does not know it yet. */
export interface ViewMessage {
  key: string;
  names?: Uint8Array;
}

export interface SegmentAsk {
  /** Files of the segments that hold the view, newest first. */
  segments: string[];
  /** Those and all others in force: what was opened for another view stays open. */
  inForce: string[];
  /** When those of them were written that this process wrote itself. */
  writtenAt: Map<string, number>;
  view: ViewMessage;
}

type Answer =
  | { hits: Hit[] }
  | { isUnknownView: true }
  | { broken: BrokenSegment[] }
  /** Those that the question's vector cannot be compared with. */
  | { misfits: BrokenSegment[] };

export type SearchMethods = {
  prepare: { input: SegmentAsk; output: Answer };
  search: {
    /** Where vectors are made elsewhere, the question's comes along; without it words alone count. */
    input: SegmentAsk & { query: string; limit: number; isExplained: boolean; vector?: Float32Array | undefined };
    output: Answer;
  };
  symbol: { input: SegmentAsk & { name: string; limit: number }; output: Answer };
};

/** Views are large; a handful is what one machine's workspaces and clients use at a time. */
const MOST_VIEWS = 16;

const AHEAD_MS = 0.25;
let ahead: NodeJS.Immediate | undefined;

const scans = new ScanThread();
const readers = new Map<string, SegmentReader>();
const names = new Map<string, ReadonlySet<string>>();
const prepared = new Map<string, { segments: string; live: LiveSegment[] }>();

answerCalls<SearchMethods>({
  // A question nobody asked: it reads tables, and lets the compiler see the work once.
  prepare: (ask) =>
    answer(ask, (live) => {
      loadVectors(live);
      return rankFiles(live, 'how is it done', 1, { ranker: readRanker(), vectors: vectorsFor(undefined) });
    }),
  search: ({ query, limit, isExplained, vector, ...ask }) =>
    answer(
      ask,
      (live) =>
        rankFiles(live, query, limit, {
          ranker: readRanker(),
          vectors: vectorsFor(vector),
          compare: scans.compare,
          explainedBy: isExplained ? readTrees() : undefined,
        }),
      vector?.length,
    ),
  symbol: ({ name, limit, ...ask }) => answer(ask, (live) => findSymbol(live, name, limit)),
});

/** What makes the vectors of questions: what comes with the package, or somebody elsewhere who was asked already. */
function vectorsFor(given: Float32Array | undefined): RankedBy['vectors'] {
  if (givenSpace === undefined) return builtInVectors();
  return {
    question: () => given && packQuery(given),
    translate: (query) => builtInVectors().translate(query),
    nameLikeness: (query) => builtInVectors().nameLikeness(query),
  };
}

/** That question has no vector where they are made elsewhere, so that the tables are read for themselves. */
function loadVectors(live: readonly LiveSegment[]): void {
  for (const { reader } of live) {
    if (reader.vectorBytes === 0) continue;
    reader.vectors('chunkVectors');
    reader.vectors('pathVectors');
  }
}

/** `dimensions` are those of the question's vector, where it has one. */
function answer(
  { segments, inForce, writtenAt, view }: SegmentAsk,
  find: (live: LiveSegment[]) => Hit[],
  dimensions?: number,
): Answer {
  if (view.names !== undefined) remember(view.key, view.names);
  const blobNames = names.get(view.key);
  if (blobNames === undefined) return { isUnknownView: true };
  names.delete(view.key);
  names.set(view.key, blobNames);

  try {
    closeReaders(new Set(inForce), new Set(segments));
    const broken = openReaders(segments, writtenAt);
    if (broken.length > 0) return { broken };
    const misfits = incomparable(segments, dimensions);
    if (misfits.length > 0) return { misfits };
    const list = segments.join('\n');
    let known = prepared.get(view.key);
    if (known?.segments !== list) {
      known = {
        segments: list,
        live: liveSegments(
          segments.map((file) => readers.get(file)!),
          { key: view.key, blobNames },
        ),
      };
      prepared.set(view.key, known);
    }
    readAhead(known.live);
    return { hits: find(known.live) };
  } catch (error) {
    // Whatever went wrong may come of a file that was changed since it was opened: they are all looked over.
    for (const [file, reader] of readers) forget(file, reader);
    const broken = openReaders(segments, new Map());
    if (broken.length === 0) throw error;
    return { broken };
  }
}

/** Uses the time between questions: a little at a time, so that the next one does not wait. */
function readAhead(live: LiveSegment[]): void {
  clearImmediate(ahead);
  ahead = setImmediate(() => {
    try {
      if (readFactsAhead(live, AHEAD_MS)) readAhead(live);
    } catch {
      // A segment that cannot be read is told and mended when a question finds out.
    }
  });
}

/** Those that are not in force any more, and those of the asked that are not what they were when they were opened. */
function closeReaders(inForce: ReadonlySet<string>, asked: ReadonlySet<string>): void {
  for (const [file, reader] of readers)
    if (!inForce.has(file) || (asked.has(file) && !reader.isUntouched())) forget(file, reader);
}

/** Those that cannot be opened. */
function openReaders(segments: readonly string[], writtenAt: ReadonlyMap<string, number>): BrokenSegment[] {
  const broken: BrokenSegment[] = [];
  for (const segment of segments) {
    if (readers.has(segment)) continue;
    try {
      readers.set(segment, new SegmentReader(segment, { writtenAt: writtenAt.get(segment), space: spaceInUse() }));
    } catch (error) {
      broken.push({ segment, reason: error instanceof Error ? error.message : String(error) });
    }
  }
  return broken;
}

/** Those whose vectors have other dimensions: what makes them has changed under the same name. */
function incomparable(segments: readonly string[], dimensions: number | undefined): BrokenSegment[] {
  if (dimensions === undefined) return [];
  return segments
    .filter((segment) => !readers.get(segment)!.takesQuestion(dimensions))
    .map((segment) => ({
      segment,
      reason: `${segment} was made with vectors of other dimensions than ${dimensions}`,
    }));
}

function remember(key: string, bytes: Uint8Array): void {
  names.set(key, new Set(unpackNames(bytes)));
  for (const old of names.keys()) {
    if (names.size <= MOST_VIEWS) break;
    names.delete(old);
    prepared.delete(old);
  }
}

function forget(file: string, reader: SegmentReader): void {
  clearImmediate(ahead);
  reader.close();
  scans.forget(reader);
  readers.delete(file);
  for (const [key, { live }] of prepared) if (live.some((one) => one.reader === reader)) prepared.delete(key);
}
