import type { BlobView } from '../../blob-view.ts';
import type { SegmentReader } from '../segment/segment-reader.ts';

/** One segment, as far as one view sees it. */
export interface LiveSegment {
  reader: SegmentReader;
  /** By file: 1 where the view has it. */
  isLive: Uint8Array;
  liveFiles: number;
  liveChunks: number;
  liveTerms: number;
  /** All zero between questions, so one question is answered at a time. */
  board: Board;
}

export interface Board {
  /** By chunk. */
  scores: Float32Array;
  masks: Uint32Array;
  definitionMasks: Uint32Array;
  /** By file. */
  isTouched: Uint8Array;
  bestScores: Float32Array;
  fileScores: Float32Array;
  fileMasks: Uint32Array;
  synonymMasks: Uint32Array;
  memberMasks: Uint32Array;
  typeMasks: Uint32Array;
  stemMasks: Uint32Array;
  folderMasks: Uint32Array;
}

/** Where a blob is in several segments, the first one has it. */
export function liveSegments(readers: readonly SegmentReader[], view: BlobView): LiveSegment[] {
  const isTaken = new Set<string>();
  const segments: LiveSegment[] = [];
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
      isLive,
      liveFiles,
      liveChunks,
      liveTerms,
      board: newBoard(reader.chunkCount, reader.fileCount),
    });
  }
  return segments;
}

function newBoard(chunks: number, files: number): Board {
  return {
    scores: new Float32Array(chunks),
    masks: new Uint32Array(chunks),
    definitionMasks: new Uint32Array(chunks),
    isTouched: new Uint8Array(files),
    bestScores: new Float32Array(files),
    fileScores: new Float32Array(files),
    fileMasks: new Uint32Array(files),
    synonymMasks: new Uint32Array(files),
    memberMasks: new Uint32Array(files),
    typeMasks: new Uint32Array(files),
    stemMasks: new Uint32Array(files),
    folderMasks: new Uint32Array(files),
  };
}
