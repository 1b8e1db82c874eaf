import type { BlobView } from '../../blob-view.ts';
import type { DefinitionFacts, FileFacts } from './file-facts.ts';
import type { SegmentReader } from '../segment/segment-reader.ts';

/** One segment, as far as one view sees it. */
export interface LiveSegment {
  reader: SegmentReader;
  /** All segments of the view. */
  all: readonly LiveSegment[];
  /** By file: 1 where the view has it. */
  isLive: Uint8Array;
  liveFiles: number;
  liveChunks: number;
  liveTerms: number;
  /** All zero between questions, so one question is answered at a time. */
  board: Board;
  /** Where the matches of the question at hand lie. */
  room: MatchRoom;
  /** By hash: those of common terms, which come in every other question. */
  common: CommonMatches;
  /** What earlier questions had to know: by term's hash (of all segments together), by file, by definition. */
  fileCounts: Map<number, number>;
  facts: Map<number, FileFacts>;
  definitions: Map<number, DefinitionFacts>;
  /** Up to which file facts were read ahead. */
  factsRead: number;
}

interface Board {
  /** By chunk. */
  scores: Float32Array;
  masks: Uint32Array;
  definitionMasks: Uint32Array;
  /** By file. */
  isTouched: Uint8Array;
  promises: Float32Array;
  bestScores: Float32Array;
  fileScores: Float32Array;
  focus: Float32Array;
  fileMasks: Uint32Array;
  memberMasks: Uint32Array;
  typeMasks: Uint32Array;
  stemMasks: Uint32Array;
  folderMasks: Uint32Array;
  /** What has to be cleared; not zero, but only the beginning is in use. */
  touchedChunks: Uint32Array;
  touchedFiles: Uint32Array;
}

/** Where a blob is in several segments, the first one has it. */
export function liveSegments(readers: readonly SegmentReader[], view: BlobView): LiveSegment[] {
  if (view.blobNames.size === 0) return [];
  const isTaken = new Set<string>();
  const segments: LiveSegment[] = [];
  const fileCounts = new Map<number, number>();
  for (const reader of readers) {
    const isLive = new Uint8Array(reader.fileCount);
    const fileTerms = reader.section('fileTerms');
    let liveFiles = 0;
    let liveChunks = 0;
    let liveTerms = 0;
    for (let file = 0; file < isLive.length; file++) {
      const name = reader.blobName(file);
      if (!view.blobNames.has(name) || isTaken.has(name)) continue;
      isTaken.add(name);
      isLive[file] = 1;
      liveFiles++;
      const [first, end] = reader.chunksOf(file);
      liveChunks += end - first;
      liveTerms += fileTerms[file]!;
    }
    if (liveFiles === 0) continue;
    segments.push({
      reader,
      all: segments,
      isLive,
      liveFiles,
      liveChunks,
      liveTerms,
      board: newBoard(reader.chunkCount, reader.fileCount),
      room: { chunks: new Uint32Array(1 << 16), packed: new Uint8Array(1 << 16), used: 0 },
      common: { byHash: new Map(), length: 0 },
      fileCounts,
      facts: new Map(),
      definitions: new Map(),
      factsRead: 0,
    });
  }
  return segments;
}

/** Room that is used again for every question, because making it anew costs more than filling it. */
interface MatchRoom {
  chunks: Uint32Array;
  packed: Uint8Array;
  used: number;
}

/** Where a term stands among the view's files. Valid while the question is. */
export interface LiveMatches {
  chunks: Uint32Array;
  packed: Uint8Array;
  length: number;
  files: number;
  mentions: number;
}

interface CommonMatches {
  byHash: Map<number, LiveMatches>;
  length: number;
}

/** A term is common where its postings take so many bytes. */
const COMMON_BYTES = 4096;
/** All that are kept of one segment: ten megabytes. */
const MOST_COMMON_MATCHES = 2_000_000;

/** Undefined where the segment does not have the term. */
export function liveMatches(segment: LiveSegment, hash: number): LiveMatches | undefined {
  const known = segment.common.byHash.get(hash);
  if (known !== undefined) return known;
  const postings = segment.reader.postings(hash);
  if (postings === undefined) return undefined;
  const matches = readMatches(segment, postings);
  if (postings.length >= COMMON_BYTES) keep(segment.common, hash, matches);
  return matches;
}

/** Beyond that, all of them are forgotten. */
function keep(common: CommonMatches, hash: number, matches: LiveMatches): void {
  const { length } = matches;
  if (common.length + length > MOST_COMMON_MATCHES) {
    common.byHash.clear();
    common.length = 0;
  }
  common.length += length;
  common.byHash.set(hash, {
    ...matches,
    chunks: matches.chunks.slice(0, length),
    packed: matches.packed.slice(0, length),
  });
}

function readMatches(
  { reader, isLive, room }: LiveSegment,
  postings: NonNullable<ReturnType<SegmentReader['postings']>>,
): LiveMatches {
  const { bytes } = postings;
  const chunkFile = reader.section('chunkFile');
  if (room.used + postings.length > room.chunks.length) enlarge(room, postings.length);
  const chunks = room.chunks.subarray(room.used);
  const packed = room.packed.subarray(room.used);
  let length = 0;
  let files = 0;
  let mentions = 0;
  let lastFile = -1;
  // As in `readPostings`, without a call for each: a common word stands in a hundred thousand chunks.
  for (let at = 0, chunk = -1; at < postings.length;) {
    let byte = bytes[at++]!;
    let value = byte & 127;
    for (let shift = 7; byte >= 128; shift += 7) {
      byte = bytes[at++]!;
      value |= (byte & 127) << shift;
    }
    chunk += value >>> 1;
    const count = (value & 1) === 0 ? 1 : bytes[at++]!;
    const file = chunkFile[chunk]!;
    if (isLive[file] === 0) continue;
    chunks[length] = chunk;
    packed[length++] = count;
    mentions += count & 63;
    if (file !== lastFile) {
      files++;
      lastFile = file;
    }
  }
  room.used += length;
  return { chunks, packed, length, files, mentions: Math.max(1, mentions) };
}

/** What was given out before stays where it is. */
function enlarge(room: MatchRoom, atLeast: number): void {
  const size = Math.max(2 * room.chunks.length, 2 * atLeast);
  room.chunks = new Uint32Array(size);
  room.packed = new Uint8Array(size);
  room.used = 0;
}

/** How many of the view's files have a term. Remembered, because files that are often found are asked about often. */
export function liveFileCount({ all, fileCounts }: LiveSegment, hash: number): number {
  const known = fileCounts.get(hash);
  if (known !== undefined) return known;
  let total = 0;
  for (const segment of all) {
    const { used } = segment.room;
    total += liveMatches(segment, hash)?.files ?? 0;
    segment.room.used = Math.min(used, segment.room.used);
  }
  fileCounts.set(hash, total);
  return total;
}

function newBoard(chunks: number, files: number): Board {
  return {
    scores: new Float32Array(chunks),
    masks: new Uint32Array(chunks),
    definitionMasks: new Uint32Array(chunks),
    isTouched: new Uint8Array(files),
    promises: new Float32Array(files),
    bestScores: new Float32Array(files),
    fileScores: new Float32Array(files),
    focus: new Float32Array(files),
    fileMasks: new Uint32Array(files),
    memberMasks: new Uint32Array(files),
    typeMasks: new Uint32Array(files),
    stemMasks: new Uint32Array(files),
    folderMasks: new Uint32Array(files),
    touchedChunks: new Uint32Array(chunks),
    touchedFiles: new Uint32Array(files),
  };
}
