import { createHash } from 'node:crypto';
import type { BlobView } from '../blob-view.ts';
import { readPostings } from '../index/segment/postings.ts';
import { SegmentReader } from '../index/segment/segment-reader.ts';

/**
 * Everything the segments say about each blob of the view, by path, as a short sum: two indexes of the same files have the
 * same sums, however many segments they consist of.
 */
export function indexedContent(segmentFiles: readonly string[], view: BlobView): Record<string, string> {
  const sums: Record<string, string> = {};
  for (const segment of segmentFiles) {
    const reader = new SegmentReader(segment);
    const terms = termsByFile(reader);
    for (let file = 0; file < reader.fileCount; file++) {
      if (!view.blobNames.has(reader.blobName(file))) continue;
      const [firstChunk, endChunk] = reader.chunksOf(file);
      const [firstDefinition, endDefinition] = reader.definitionsOf(file);
      const chunks = range(firstChunk, endChunk).map((chunk) =>
        (['chunkStart', 'chunkEnd', 'chunkTerms', 'chunkDefinition'] as const).map(
          (name) => reader.section(name)[chunk],
        ),
      );
      const definitions = range(firstDefinition, endDefinition).map((index) => reader.definition(index));
      const facts = [
        reader.section('fileLines')[file],
        reader.section('fileTerms')[file],
        chunks,
        definitions,
        terms[file],
      ];
      sums[reader.path(file)] = createHash('sha256').update(JSON.stringify(facts)).digest('hex').slice(0, 16);
    }
    reader.close();
  }
  return sums;
}

/** Of each file: term, chunk within the file, and what the posting says. */
function termsByFile(reader: SegmentReader): [number, number, number][][] {
  const terms: [number, number, number][][] = range(0, reader.fileCount).map(() => []);
  for (const hash of reader.section('termHashes')) {
    const { bytes, length } = reader.postings(hash)!;
    readPostings(bytes, length, (chunk, packed) => {
      const file = reader.section('chunkFile')[chunk]!;
      terms[file]!.push([hash, chunk - reader.chunksOf(file)[0], packed]);
    });
  }
  return terms;
}

function range(from: number, to: number): number[] {
  return Array.from({ length: to - from }, (_, at) => from + at);
}
