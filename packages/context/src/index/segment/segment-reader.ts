import type { Definition } from '../definitions/definition.ts';
import { emptyVectors } from '../embedder/empty-vectors.ts';
import { packedBytes, packedDimensions } from '../vectors/pack-vector.ts';
import { VectorTable } from '../vectors/vector-table.ts';
import { DEFINITION_KINDS } from './definition-kinds.ts';
import { SegmentFile, type SectionName, type Sections } from './segment-file.ts';

const decoder = new TextDecoder();

/** A segment to ask. Its tables are loaded at first use. */
export class SegmentReader {
  readonly #file: SegmentFile;
  readonly #loaded: Partial<Sections> = {};
  readonly #tables: { chunkVectors?: VectorTable | undefined; pathVectors?: VectorTable | undefined } = {};
  #standInDimensions = 0;
  #fileOf: Map<string, number> | undefined;

  /** Throws where the file cannot be read, or was made with other vectors than those of `space`. */
  constructor(file: string, options: { writtenAt?: number | undefined; space?: string } = {}) {
    this.#file = new SegmentFile(file, options);
    const { space } = options;
    if (space === undefined) return;
    const found = decoder.decode(this.section('vectorSpace'));
    if (found === space) return;
    this.#file.close();
    throw new Error(`${file} was made with other vectors (${found || 'none'}) than those in use (${space})`);
  }

  get fileCount(): number {
    return this.section('pathEnds').length;
  }

  get chunkCount(): number {
    return this.section('chunkFile').length;
  }

  get bytes(): number {
    return this.#file.bytes;
  }

  section<Name extends SectionName>(name: Name): Sections[Name] {
    return (this.#loaded[name] ??= this.#file.read(name) as never);
  }

  /** What a vector takes; 0 where the segment has none. */
  get vectorBytes(): number {
    return this.fileCount === 0 ? 0 : this.#file.bytesOf('pathVectors') / this.fileCount;
  }

  /**
   * Whether a question of so many numbers can be compared with its vectors. One that has none is compared as well: as if all
   * of them were near to nothing.
   */
  takesQuestion(dimensions: number): boolean {
    if (this.vectorBytes > 0) return packedDimensions(this.vectorBytes) === dimensions;
    if (this.#standInDimensions !== dimensions) {
      this.#standInDimensions = dimensions;
      this.#tables.chunkVectors = undefined;
      this.#tables.pathVectors = undefined;
    }
    return true;
  }

  /** Vectors to compare a question with, of chunks or of paths. */
  vectors(name: 'chunkVectors' | 'pathVectors'): VectorTable {
    let table = this.#tables[name];
    if (table === undefined) {
      const count = name === 'chunkVectors' ? this.chunkCount : this.fileCount;
      const hasVectors = this.vectorBytes > 0;
      table = new VectorTable(count, hasVectors ? packedDimensions(this.vectorBytes) : this.#standInDimensions);
      if (hasVectors) this.#file.readSectionInto(name, table.bytes);
      else table.bytes.set(emptyVectors(count, packedBytes(table.dimensions)));
      this.#tables[name] = table;
    }
    return table;
  }

  blobName(file: number): string {
    return Buffer.from(this.section('blobNames').subarray(file * 32, file * 32 + 32)).toString('hex');
  }

  /** The file with this blob, where the segment has it. */
  fileOf(blobName: string): number | undefined {
    if (this.#fileOf === undefined) {
      this.#fileOf = new Map();
      for (let file = 0; file < this.fileCount; file++) this.#fileOf.set(this.blobName(file), file);
    }
    return this.#fileOf.get(blobName);
  }

  path(file: number): string {
    const ends = this.section('pathEnds');
    return decoder.decode(this.section('pathHeap').subarray(file === 0 ? 0 : ends[file - 1], ends[file]));
  }

  chunksOf(file: number): [number, number] {
    const first = this.section('fileFirstChunk');
    return [first[file]!, file + 1 < first.length ? first[file + 1]! : this.chunkCount];
  }

  definitionsOf(file: number): [number, number] {
    const first = this.section('fileFirstDefinition');
    return [first[file]!, file + 1 < first.length ? first[file + 1]! : this.section('definitionKind').length];
  }

  definitionName(index: number): string {
    const from = index === 0 ? 0 : this.section('definitionContainerEnds')[index - 1]!;
    return this.#definitionText(from, this.section('definitionNameEnds')[index]!);
  }

  /** '' for a definition that stands in none. */
  definitionContainer(index: number): string {
    return this.#definitionText(
      this.section('definitionNameEnds')[index]!,
      this.section('definitionContainerEnds')[index]!,
    );
  }

  /** Short names of plain letters, as nearly all are, cost less than a decoder's call. */
  #definitionText(from: number, to: number): string {
    const heap = this.section('definitionHeap');
    if (to - from > 48) return decoder.decode(heap.subarray(from, to));
    let text = '';
    for (let at = from; at < to; at++) {
      if (heap[at]! >= 128) return decoder.decode(heap.subarray(from, to));
      text += String.fromCharCode(heap[at]!);
    }
    return text;
  }

  definition(index: number): Definition {
    const container = this.definitionContainer(index);
    return {
      name: this.definitionName(index),
      kind: DEFINITION_KINDS[this.section('definitionKind')[index]!]!,
      line: this.section('definitionLine')[index]!,
      endLine: this.section('definitionEnd')[index]!,
      ...(container !== '' && { container }),
    };
  }

  /** The postings of a term; undefined where the term does not occur. */
  postings(hash: number): { bytes: Uint8Array; length: number } | undefined {
    const term = this.#termAt(hash);
    if (term === undefined) return undefined;
    const ends = this.section('postingEnds');
    // One question asks for thousands of short rows: in memory they cost nothing, from the file a call each.
    const bytes = this.section('postings').subarray(term === 0 ? 0 : ends[term - 1], ends[term]);
    return { bytes, length: bytes.length };
  }

  /** How many bytes the postings of a term take, which tells how common it is without reading them. */
  postingBytes(hash: number): number {
    const term = this.#termAt(hash);
    if (term === undefined) return 0;
    const ends = this.section('postingEnds');
    return ends[term]! - (term === 0 ? 0 : ends[term - 1]!);
  }

  #termAt(hash: number): number | undefined {
    const hashes = this.section('termHashes');
    let low = 0;
    let high = hashes.length - 1;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (hashes[middle]! < hash) low = middle + 1;
      else high = middle;
    }
    return hashes[low] === hash ? low : undefined;
  }

  /** False when the file is not what it was when it was opened. */
  isUntouched(): boolean {
    return this.#file.isUntouched();
  }

  close(): void {
    this.#file.close();
  }
}
