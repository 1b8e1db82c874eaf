import { unpackNames } from '../blobs/packed-names.ts';
import type { Hit } from '../code-index.ts';
import { findSymbol } from '../rank/find-symbol.ts';
import { type LiveSegment, liveSegments } from '../rank/live-segment.ts';
import { rankFiles } from '../rank/rank-files.ts';
import { readRanker } from '../rank/ranker.ts';
import { SegmentReader } from '../segment/segment-reader.ts';
import type { BrokenSegment } from './build-worker.ts';
import { answerCalls } from './worker-calls.ts';

/** A view by its key; its names, 32 bytes each, come along when this worker does not know it yet. */
export interface ViewMessage {
  key: string;
  names?: Uint8Array;
}

export interface SegmentAsk {
  /** Files of the segments in force, newest first. */
  segments: string[];
  /** When those of them were written that this process wrote itself. */
  writtenAt: Map<string, number>;
  view: ViewMessage;
}

type Answer = { hits: Hit[] } | { isUnknownView: true } | { broken: BrokenSegment[] };

export type SearchMethods = {
  prepare: { input: SegmentAsk; output: Answer };
  search: { input: SegmentAsk & { query: string; limit: number }; output: Answer };
  symbol: { input: SegmentAsk & { name: string; limit: number }; output: Answer };
};

/** Views are large; a handful is what one machine's workspaces and clients use at a time. */
const MOST_VIEWS = 16;

const readers = new Map<string, SegmentReader>();
const names = new Map<string, ReadonlySet<string>>();
const prepared = new Map<string, { segments: string; live: LiveSegment[] }>();

answerCalls<SearchMethods>({
  // A question nobody asked: it reads tables, and lets the compiler see the work once.
  prepare: (ask) => answer(ask, (live) => rankFiles(live, 'how is it done', 1, readRanker())),
  search: ({ query, limit, ...ask }) => answer(ask, (live) => rankFiles(live, query, limit, readRanker())),
  symbol: ({ name, limit, ...ask }) => answer(ask, (live) => findSymbol(live, name, limit)),
});

function answer({ segments, writtenAt, view }: SegmentAsk, find: (live: LiveSegment[]) => Hit[]): Answer {
  if (view.names !== undefined) remember(view.key, view.names);
  const blobNames = names.get(view.key);
  if (blobNames === undefined) return { isUnknownView: true };
  names.delete(view.key);
  names.set(view.key, blobNames);

  try {
    for (const [file, reader] of readers) if (!segments.includes(file) || !reader.isUntouched()) forget(file, reader);
    const broken = openReaders(segments, writtenAt);
    if (broken.length > 0) return { broken };
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
    return { hits: find(known.live) };
  } catch (error) {
    // Whatever went wrong may come of a file that was changed since it was opened: they are all looked over.
    for (const [file, reader] of readers) forget(file, reader);
    const broken = openReaders(segments, new Map());
    if (broken.length === 0) throw error;
    return { broken };
  }
}

/** Those that cannot be opened. */
function openReaders(segments: readonly string[], writtenAt: ReadonlyMap<string, number>): BrokenSegment[] {
  const broken: BrokenSegment[] = [];
  for (const segment of segments) {
    if (readers.has(segment)) continue;
    try {
      readers.set(segment, new SegmentReader(segment, { writtenAt: writtenAt.get(segment) }));
    } catch (error) {
      broken.push({ segment, reason: error instanceof Error ? error.message : String(error) });
    }
  }
  return broken;
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
  reader.close();
  readers.delete(file);
  prepared.clear();
}
