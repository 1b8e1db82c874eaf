import { statSync } from 'node:fs';
import type { Blob } from '../../blob-server.ts';
import { unpackNames } from '../blobs/packed-names.ts';
import { mergeSegments } from '../segment/merge-segments.ts';
import { SegmentBuilder } from '../segment/segment-builder.ts';
import { writeSegmentFile } from '../segment/segment-file.ts';
import { SegmentReader } from '../segment/segment-reader.ts';
import { answerCalls } from './worker-calls.ts';

/** What builds segments, away from the thread that answers requests. */
export type BuildMethods = {
  /** Answers with the blobs that could not be read, and why. */
  add: {
    input: { blobs: readonly Blob[] };
    output: { failed: { blobName: string; reason: string }[]; waitingBytes: number };
  };
  /** Writes what was added since. */
  finish: { input: { file: string }; output: { blobNames: Uint8Array; bytes: number; writtenAt: number } };
  merge: {
    input: { files: string[]; into: string; kept: Uint8Array };
    output: { files: number; bytes: number; writtenAt: number } | { broken: BrokenSegment[] };
  };
};

/** The file of a segment that is missing or damaged. */
export interface BrokenSegment {
  segment: string;
  reason: string;
}

let builder = new SegmentBuilder();

answerCalls<BuildMethods>({
  add({ blobs }) {
    const failed: { blobName: string; reason: string }[] = [];
    for (const blob of blobs) {
      try {
        builder.add(blob);
      } catch (error) {
        failed.push({ blobName: blob.blobName, reason: error instanceof Error ? error.message : String(error) });
      }
    }
    return { failed, waitingBytes: builder.bytes };
  },
  finish({ file }) {
    if (builder.files === 0) return { blobNames: new Uint8Array(), bytes: 0, writtenAt: 0 };
    try {
      const sections = builder.finish();
      const bytes = writeSegmentFile(file, sections);
      return { blobNames: sections.blobNames.slice(), bytes, writtenAt: statSync(file).mtimeMs };
    } catch (error) {
      // What was taken in is gone with the disk that was full; whoever asked adds it again.
      builder = new SegmentBuilder();
      throw error;
    }
  },
  merge({ files, into, kept }) {
    const names = new Set(unpackNames(kept));
    const readers: SegmentReader[] = [];
    try {
      const broken: BrokenSegment[] = [];
      for (const file of files) {
        try {
          readers.push(new SegmentReader(file));
        } catch (error) {
          broken.push({ segment: file, reason: error instanceof Error ? error.message : String(error) });
        }
      }
      if (broken.length > 0) return { broken };
      const sections = mergeSegments(readers, (name) => names.has(name));
      const bytes = writeSegmentFile(into, sections);
      return { files: sections.pathEnds.length, bytes, writtenAt: statSync(into).mtimeMs };
    } finally {
      for (const reader of readers) reader.close();
    }
  },
});
