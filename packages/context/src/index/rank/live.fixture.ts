import { join } from 'node:path';
import { tempFolder } from '@dragoman/testkit';
import { blobName } from '../../sync/blob-name.ts';
import { SegmentBuilder } from '../segment/segment-builder.ts';
import { writeSegmentFile } from '../segment/segment-file.ts';
import { SegmentReader } from '../segment/segment-reader.ts';
import type { CodeVectors } from '../vectors/code-vectors.ts';
import { type LiveSegment, liveSegments } from './live-segment.ts';

/** Segments of files given as path and text, one segment a record. The view sees all files but those named. */
export function liveFiles(
  parts: readonly Record<string, string>[],
  hidden: readonly string[] = [],
  vectors?: CodeVectors,
): LiveSegment[] {
  const folder = tempFolder();
  const blobNames = new Set<string>();
  const readers = parts.map((files, index) => {
    const builder = new SegmentBuilder(vectors);
    for (const [path, content] of Object.entries(files)) {
      const name = blobName(path, content);
      builder.add({ blobName: name, path, content });
      if (!hidden.includes(path)) blobNames.add(name);
    }
    const file = join(folder, `${index}.seg`);
    writeSegmentFile(file, builder.finish());
    return new SegmentReader(file);
  });
  return liveSegments(readers, { key: 'test', blobNames });
}
