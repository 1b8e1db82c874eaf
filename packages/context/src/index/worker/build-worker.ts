import { statSync } from 'node:fs';
import type { Blob } from '../../blob-server.ts';
import { unpackNames } from '../blobs/packed-names.ts';
import { SegmentTexts, type TextsOfSegment, type VectorsOfSegment } from '../embedder/segment-texts.ts';
import { mergeSegments } from '../segment/merge-segments.ts';
import { SegmentBuilder } from '../segment/segment-builder.ts';
import { type Sections, writeSegmentFile } from '../segment/segment-file.ts';
import { SegmentReader } from '../segment/segment-reader.ts';
import { builtInVectors } from '../vectors/built-in-vectors.ts';
import { packedDimensions } from '../vectors/pack-vector.ts';
import { givenSpace, spaceInUse } from './vectors-in-use.ts';
import { answerCalls } from './worker-calls.ts';

/** What builds segments, away from the thread that answers requests. */
export type BuildMethods = {
  /** Answers with the blobs that could not be read, and why. */
  add: {
    input: { blobs: readonly Blob[] };
    output: { failed: { blobName: string; reason: string }[]; waitingBytes: number };
  };
  /** Where vectors are made elsewhere: closes the segment, and answers with what it needs them for. What is added now is in the next. */
  seal: { input: undefined; output: TextsOfSegment };
  /** Builds a segment of these beside the one that grows, and answers with what it needs vectors for. */
  rebuild: { input: { blobs: readonly Blob[] }; output: TextsOfSegment };
  /** Writes what was added since; where vectors are made elsewhere, what was sealed or else rebuilt, with these. */
  finish: {
    input: { file: string; vectors?: VectorsOfSegment; isRebuilt?: boolean };
    output: { blobNames: Uint8Array; bytes: number; writtenAt: number; vectors: string };
  };
  merge: {
    input: { files: string[]; into: string; kept: Uint8Array };
    output: { files: number; bytes: number; writtenAt: number; vectors: string } | { broken: BrokenSegment[] };
  };
  /** By file, the space of its vectors, '' where it has none; one that cannot be read is left out. */
  inspect: { input: { files: string[] }; output: Map<string, string> };
};

/** The file of a segment that is missing or damaged. */
export interface BrokenSegment {
  segment: string;
  reason: string;
}

let building = begin();
let sealed: Building | undefined;
let rebuilt: Building | undefined;

answerCalls<BuildMethods>({
  add: ({ blobs }) => ({ failed: addTo(building, blobs), waitingBytes: building.builder.bytes }),
  seal() {
    sealed = building;
    building = begin();
    return sealed.texts!.take();
  },
  rebuild({ blobs }) {
    rebuilt = begin();
    addTo(rebuilt, blobs);
    return rebuilt.texts!.take();
  },
  finish({ file, vectors, isRebuilt = false }) {
    const from = givenSpace === undefined ? building : isRebuilt ? rebuilt : sealed;
    if (from === undefined) throw new Error('what was to be written is gone with the thread that held it');
    if (isRebuilt) rebuilt = undefined;
    else sealed = undefined;
    if (from.builder.files === 0) return { blobNames: new Uint8Array(), bytes: 0, writtenAt: 0, vectors: '' };
    try {
      const sections = from.builder.finish(vectors);
      const bytes = writeSegmentFile(file, sections);
      const writtenAt = statSync(file).mtimeMs;
      return { blobNames: sections.blobNames.slice(), bytes, writtenAt, vectors: spaceOf(sections) };
    } catch (error) {
      // What was taken in is gone with the disk that was full; whoever asked adds it again.
      if (from === building) building = begin();
      throw error;
    }
  },
  merge({ files, into, kept }) {
    const names = new Set(unpackNames(kept));
    const readers: SegmentReader[] = [];
    try {
      const broken: BrokenSegment[] = [];
      let vectorBytes = 0;
      for (const file of files) {
        try {
          const reader = new SegmentReader(file, { space: spaceInUse() });
          readers.push(reader);
          vectorBytes ||= reader.vectorBytes;
          if (reader.vectorBytes !== 0 && reader.vectorBytes !== vectorBytes)
            throw new Error(
              `${file} has vectors of ${packedDimensions(reader.vectorBytes)} numbers; newer ones have ${packedDimensions(vectorBytes)}`,
            );
        } catch (error) {
          broken.push({ segment: file, reason: error instanceof Error ? error.message : String(error) });
        }
      }
      if (broken.length > 0) return { broken };
      const sections = mergeSegments(readers, (name) => names.has(name));
      const bytes = writeSegmentFile(into, sections);
      const writtenAt = statSync(into).mtimeMs;
      return { files: sections.pathEnds.length, bytes, writtenAt, vectors: spaceOf(sections) };
    } finally {
      for (const reader of readers) reader.close();
    }
  },
  inspect({ files }) {
    const found = new Map<string, string>();
    for (const file of files) {
      try {
        const reader = new SegmentReader(file);
        found.set(file, reader.vectorBytes === 0 ? '' : Buffer.from(reader.section('vectorSpace')).toString());
        reader.close();
      } catch {
        // Whoever asks it finds out.
      }
    }
    return found;
  },
});

/** The space of a segment's vectors; '' where it has none. */
function spaceOf({ pathVectors, vectorSpace }: Sections): string {
  return pathVectors.length === 0 ? '' : Buffer.from(vectorSpace).toString();
}

/** Those that could not be read, and why. */
function addTo({ builder }: Building, blobs: readonly Blob[]): { blobName: string; reason: string }[] {
  const failed: { blobName: string; reason: string }[] = [];
  for (const blob of blobs) {
    try {
      builder.add(blob);
    } catch (error) {
      failed.push({ blobName: blob.blobName, reason: error instanceof Error ? error.message : String(error) });
    }
  }
  return failed;
}

/** A segment as it grows. */
interface Building {
  builder: SegmentBuilder;
  /** Where its vectors are made elsewhere. */
  texts: SegmentTexts | undefined;
}

function begin(): Building {
  if (givenSpace === undefined) return { builder: new SegmentBuilder(builtInVectors()), texts: undefined };
  const texts = new SegmentTexts(givenSpace);
  return { builder: new SegmentBuilder(undefined, texts), texts };
}
