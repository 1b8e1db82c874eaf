import { emptyVectors } from '../embedder/empty-vectors.ts';
import { GrowingArray } from './growing-array.ts';
import { readPostings, writePosting } from './postings.ts';
import type { Sections } from './segment-file.ts';
import type { SegmentReader } from './segment-reader.ts';

/**
 * One segment out of several of the same vector space, whose vectors have all as many numbers, or which have none, without the files
 * that nobody needs any more.
 */
export function mergeSegments(readers: readonly SegmentReader[], isKept: (blobName: string) => boolean): Sections {
  const seen = new Set<string>();
  const maps = readers.map((reader) => keptFiles(reader, isKept, seen));
  const rows = new MergedRows(Math.max(0, ...readers.map(({ vectorBytes }) => vectorBytes)));
  const chunkMaps = readers.map((reader, index) => rows.addFiles(reader, maps[index]!));
  const vectorSpace = readers[0]?.section('vectorSpace') ?? new Uint8Array();
  return { ...rows.toSections(), ...mergePostings(readers, chunkMaps), vectorSpace };
}

/** Where a blob is in several segments, the first one keeps it. */
function keptFiles(reader: SegmentReader, isKept: (blobName: string) => boolean, seen: Set<string>): number[] {
  const files: number[] = [];
  for (let file = 0; file < reader.fileCount; file++) {
    const name = reader.blobName(file);
    if (seen.has(name) || !isKept(name)) continue;
    seen.add(name);
    files.push(file);
  }
  return files;
}

class MergedRows {
  readonly #vectorBytes: number;
  readonly #blobNames = new GrowingArray(Uint8Array);
  readonly #pathHeap = new GrowingArray(Uint8Array);
  readonly #pathEnds = new GrowingArray(Uint32Array);
  readonly #fileFirstChunk = new GrowingArray(Uint32Array);
  readonly #fileFirstDefinition = new GrowingArray(Uint32Array);
  readonly #fileLines = new GrowingArray(Uint32Array);
  readonly #fileTerms = new GrowingArray(Uint32Array);
  readonly #chunkFile = new GrowingArray(Uint32Array);
  readonly #chunkStart = new GrowingArray(Uint32Array);
  readonly #chunkEnd = new GrowingArray(Uint32Array);
  readonly #chunkTerms = new GrowingArray(Uint16Array);
  readonly #chunkDefinition = new GrowingArray(Uint32Array);
  readonly #definitionHeap = new GrowingArray(Uint8Array);
  readonly #definitionNameEnds = new GrowingArray(Uint32Array);
  readonly #definitionContainerEnds = new GrowingArray(Uint32Array);
  readonly #definitionKind = new GrowingArray(Uint8Array);
  readonly #definitionLine = new GrowingArray(Uint32Array);
  readonly #definitionEnd = new GrowingArray(Uint32Array);
  readonly #chunkVectors = new GrowingArray(Uint8Array);
  readonly #pathVectors = new GrowingArray(Uint8Array);

  constructor(vectorBytes: number) {
    this.#vectorBytes = vectorBytes;
  }

  /** The new number of each chunk, plus one; 0 for those left behind. */
  addFiles(reader: SegmentReader, files: readonly number[]): Uint32Array {
    const chunkMap = new Uint32Array(reader.chunkCount);
    const pathEnds = reader.section('pathEnds');
    const size = this.#vectorBytes;
    const hasVectors = reader.vectorBytes > 0;
    for (const file of files) {
      const number = this.#pathEnds.length;
      this.#blobNames.append(reader.section('blobNames').subarray(file * 32, file * 32 + 32));
      this.#pathHeap.append(reader.section('pathHeap').subarray(file === 0 ? 0 : pathEnds[file - 1], pathEnds[file]));
      this.#pathEnds.push(this.#pathHeap.length);
      this.#fileFirstChunk.push(this.#chunkFile.length);
      this.#fileFirstDefinition.push(this.#definitionKind.length);
      this.#fileLines.push(reader.section('fileLines')[file]!);
      this.#fileTerms.push(reader.section('fileTerms')[file]!);
      const [firstChunk, endChunk] = reader.chunksOf(file);
      for (let chunk = firstChunk; chunk < endChunk; chunk++) {
        chunkMap[chunk] = this.#chunkFile.length + 1;
        this.#chunkFile.push(number);
        this.#chunkStart.push(reader.section('chunkStart')[chunk]!);
        this.#chunkEnd.push(reader.section('chunkEnd')[chunk]!);
        this.#chunkTerms.push(reader.section('chunkTerms')[chunk]!);
        this.#chunkDefinition.push(reader.section('chunkDefinition')[chunk]!);
      }
      const vectors = (name: 'pathVectors' | 'chunkVectors', from: number, to: number) =>
        hasVectors ? reader.section(name).subarray(from * size, to * size) : emptyVectors(to - from, size);
      this.#pathVectors.append(vectors('pathVectors', file, file + 1));
      this.#chunkVectors.append(vectors('chunkVectors', firstChunk, endChunk));
      const [firstDefinition, endDefinition] = reader.definitionsOf(file);
      for (let index = firstDefinition; index < endDefinition; index++) this.#addDefinition(reader, index);
    }
    return chunkMap;
  }

  #addDefinition(reader: SegmentReader, index: number): void {
    const heap = reader.section('definitionHeap');
    const containerEnds = reader.section('definitionContainerEnds');
    const nameEnd = reader.section('definitionNameEnds')[index]!;
    this.#definitionHeap.append(heap.subarray(index === 0 ? 0 : containerEnds[index - 1], nameEnd));
    this.#definitionNameEnds.push(this.#definitionHeap.length);
    this.#definitionHeap.append(heap.subarray(nameEnd, containerEnds[index]));
    this.#definitionContainerEnds.push(this.#definitionHeap.length);
    this.#definitionKind.push(reader.section('definitionKind')[index]!);
    this.#definitionLine.push(reader.section('definitionLine')[index]!);
    this.#definitionEnd.push(reader.section('definitionEnd')[index]!);
  }

  toSections(): Omit<Sections, 'termHashes' | 'postingEnds' | 'postings' | 'vectorSpace'> {
    return {
      blobNames: this.#blobNames.view(),
      pathHeap: this.#pathHeap.view(),
      pathEnds: this.#pathEnds.view(),
      fileFirstChunk: this.#fileFirstChunk.view(),
      fileFirstDefinition: this.#fileFirstDefinition.view(),
      fileLines: this.#fileLines.view(),
      fileTerms: this.#fileTerms.view(),
      chunkFile: this.#chunkFile.view(),
      chunkStart: this.#chunkStart.view(),
      chunkEnd: this.#chunkEnd.view(),
      chunkTerms: this.#chunkTerms.view(),
      chunkDefinition: this.#chunkDefinition.view(),
      definitionHeap: this.#definitionHeap.view(),
      definitionNameEnds: this.#definitionNameEnds.view(),
      definitionContainerEnds: this.#definitionContainerEnds.view(),
      definitionKind: this.#definitionKind.view(),
      definitionLine: this.#definitionLine.view(),
      definitionEnd: this.#definitionEnd.view(),
      chunkVectors: this.#chunkVectors.view(),
      pathVectors: this.#pathVectors.view(),
    };
  }
}

/** Terms come sorted from every segment, so one walk over all of them meets each term once. */
function mergePostings(
  readers: readonly SegmentReader[],
  chunkMaps: readonly Uint32Array[],
): Pick<Sections, 'termHashes' | 'postingEnds' | 'postings'> {
  const hashes = readers.map((reader) => reader.section('termHashes'));
  const next = readers.map(() => 0);
  const termHashes = new GrowingArray(Float64Array);
  const postingEnds = new GrowingArray(Uint32Array);
  const postings = new GrowingArray(Uint8Array, 1 << 16);
  for (;;) {
    let hash = Infinity;
    for (const [index, sorted] of hashes.entries()) hash = Math.min(hash, sorted[next[index]!] ?? Infinity);
    if (hash === Infinity) break;
    let before = -1;
    const start = postings.length;
    for (const [index, reader] of readers.entries()) {
      if (hashes[index]![next[index]!] !== hash) continue;
      next[index]!++;
      const row = reader.postings(hash)!;
      readPostings(row.bytes, row.length, (chunk, packed) => {
        const number = chunkMaps[index]![chunk]! - 1;
        if (number < 0) return;
        writePosting(postings, number - before, packed);
        before = number;
      });
    }
    if (postings.length === start) continue;
    termHashes.push(hash);
    postingEnds.push(postings.length);
  }
  return { termHashes: termHashes.view(), postingEnds: postingEnds.view(), postings: postings.view() };
}
