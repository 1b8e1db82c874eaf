import type { Blob } from '../../blob-server.ts';
import { type Chunk, chunkFile } from '../chunk/chunk-file.ts';
import type { Definition, DefinitionKind } from '../definitions/definition.ts';
import { findDefinitions } from '../definitions/find-definitions.ts';
import { findImports } from '../definitions/find-imports.ts';
import type { TermNumbers } from '../text/term-numbers.ts';
import { TermTable } from '../text/term-table.ts';
import type { SegmentTexts, VectorsOfSegment } from '../embedder/segment-texts.ts';
import type { CodeVectors } from '../vectors/code-vectors.ts';
import { GrowingArray } from './growing-array.ts';
import { folderTerm, importedName, importTerm, pathTerms, stemTerm } from './path-terms.ts';
import { type DefinitionLevel, packPosting, writePosting } from './postings.ts';
import type { Sections } from './segment-file.ts';
import { DEFINITION_KINDS } from './definition-kinds.ts';

/** Takes blobs in and gives a segment out. The table of words outlives the segment: the next one knows them already. */
export class SegmentBuilder {
  #table: TermTable;
  readonly #vectors: CodeVectors | undefined;
  readonly #texts: SegmentTexts | undefined;
  readonly #parts = new Parts();
  #isFinished = false;
  /** By term: how often in the chunk at hand, and the level of its definitions. */
  #counts = new Uint32Array(1 << 16);
  #levels = new Uint8Array(1 << 16);
  readonly #touched = new GrowingArray(Uint32Array);
  #occurrences = 0;
  /** Of the definition whose name is being read. */
  #level: DefinitionLevel = 0;

  /** Its vectors are made here, or elsewhere out of the texts. Without either the segment is found by words alone. */
  constructor(vectors?: CodeVectors, texts?: SegmentTexts) {
    this.#vectors = vectors;
    this.#texts = texts;
    this.#table = new TermTable(vectors?.rows);
  }

  /** Files taken in since the last segment. */
  get files(): number {
    return this.#isFinished ? 0 : this.#parts.pathEnds.length;
  }

  /** Roughly the memory that waits to be written. */
  get bytes(): number {
    const { postingTerm, definitionHeap, definitionKind, chunkFile, chunkVectors, pathVectors } = this.#parts;
    if (this.#isFinished) return 0;
    const rows = definitionHeap.length + definitionKind.length * 17 + chunkFile.length * 18;
    return postingTerm.length * 9 + rows + chunkVectors.length + pathVectors.length + (this.#texts?.bytes ?? 0);
  }

  add(blob: Blob): void {
    const parts = this.#parts;
    if (this.#isFinished) this.#beginAnew();
    // Whatever can fail comes first: a blob is taken whole or not at all.
    const definitions = findDefinitions(blob.path, blob.content);
    const chunks = chunkFile(blob.path, blob.content, definitions);
    const imports = findImports(blob.path, blob.content);
    const file = parts.pathEnds.length;
    parts.blobNames.append(Buffer.from(blob.blobName, 'hex'));
    parts.pathHeap.append(Buffer.from(blob.path));
    parts.pathEnds.push(parts.pathHeap.length);
    parts.fileFirstChunk.push(parts.chunkFile.length);
    parts.fileFirstDefinition.push(parts.definitionKind.length);
    for (const definition of definitions) this.#addDefinition(definition);
    const vectors = this.#vectors;
    const pathRows = vectors?.pathRows(blob.path) ?? [];
    vectors?.finishPath(pathRows, parts.pathVectors.extend(vectors.vectorBytes));
    this.#texts?.addPath(blob.path);

    let terms = 0;
    let offset = 0;
    let line = 1;
    /** The definition of each name that began last. */
    const lastOf = new Map<string, number>();
    for (const [index, chunk] of chunks.entries()) {
      const from = offset;
      for (; line <= chunk.end && offset < blob.content.length; line++) {
        const newline = blob.content.indexOf('\n', offset);
        offset = newline < 0 ? blob.content.length : newline + 1;
      }
      this.#table.read(blob.content, from, offset, this.#countTerm, this.#sayRow);
      vectors?.finishCode(pathRows, parts.chunkVectors.extend(vectors.vectorBytes));
      this.#texts?.addChunk(blob.path, blob.content.slice(from, offset));
      for (const inside of chunk.definitions) {
        this.#raise(definitions[inside]!);
        lastOf.set(definitions[inside]!.name, inside);
      }
      if (index === 0) {
        this.#addPath(blob.path);
        this.#addImports(imports);
      }
      terms += this.#occurrences;
      this.#addChunk(file, chunk, chunk.symbol === undefined ? undefined : lastOf.get(chunk.symbol));
    }
    parts.fileLines.push(chunks.at(-1)?.end ?? 0);
    parts.fileTerms.push(terms);
  }

  /**
   * The segment of everything added since the last call; to be used before the next blob is added. Vectors that were made
   * elsewhere are given, in the order of the texts.
   */
  finish(given?: VectorsOfSegment): Sections {
    if (this.#isFinished) this.#beginAnew();
    this.#isFinished = true;
    return {
      ...this.#parts.toSections(this.#table.numbers),
      ...(given !== undefined && { chunkVectors: given.chunks, pathVectors: given.paths }),
      vectorSpace: Buffer.from(this.#vectors?.space ?? this.#texts?.space ?? ''),
    };
  }

  /** The room that the last segment took is used again. */
  #beginAnew(): void {
    this.#isFinished = false;
    this.#parts.clear();
    if (this.#table.isFull) this.#table = new TermTable(this.#vectors?.rows);
  }

  readonly #countTerm = (term: number): void => {
    if (term >= this.#counts.length) this.#growTo(term);
    if (this.#counts[term]!++ === 0 && this.#levels[term] === 0) this.#touched.push(term);
    this.#occurrences++;
  };

  readonly #sayRow = (row: number): void => this.#vectors!.say(row);

  #raise(definition: Definition): void {
    const { name, kind } = definition;
    this.#level = LEVELS[kind];
    this.#table.read(name, 0, name.length, this.#markTerm);
  }

  readonly #markTerm = (term: number): void => this.#markLevel(term, this.#level);

  #addPath(path: string): void {
    const { stem, folders } = pathTerms(path);
    for (const term of stem) this.#markLevel(this.#table.numbers.number(stemTerm(term)), 1);
    for (const term of folders) this.#markLevel(this.#table.numbers.number(folderTerm(term)), 1);
  }

  #addImports(imports: readonly string[]): void {
    for (const text of imports) {
      const name = importedName(text);
      if (name !== undefined) this.#markLevel(this.#table.numbers.number(importTerm(name)), 1);
    }
  }

  #markLevel(term: number, level: DefinitionLevel): void {
    if (term >= this.#counts.length) this.#growTo(term);
    if (this.#counts[term] === 0 && this.#levels[term] === 0) this.#touched.push(term);
    if (this.#levels[term]! < level) this.#levels[term] = level;
  }

  #addChunk(file: number, chunk: Chunk, definition: number | undefined): void {
    const parts = this.#parts;
    const number = parts.chunkFile.length;
    for (const term of this.#touched.view()) {
      parts.postingTerm.push(term);
      parts.postingChunk.push(number);
      parts.postingPacked.push(packPosting(this.#counts[term]!, this.#levels[term] as DefinitionLevel));
      this.#counts[term] = 0;
      this.#levels[term] = 0;
    }
    this.#touched.clear();
    parts.chunkFile.push(file);
    parts.chunkStart.push(chunk.start);
    parts.chunkEnd.push(chunk.end);
    parts.chunkTerms.push(Math.min(this.#occurrences, 65_535));
    parts.chunkDefinition.push(definition === undefined ? 0 : definition + 1);
    this.#occurrences = 0;
  }

  #addDefinition(definition: Definition): void {
    const parts = this.#parts;
    parts.definitionHeap.append(Buffer.from(definition.name));
    parts.definitionNameEnds.push(parts.definitionHeap.length);
    parts.definitionHeap.append(Buffer.from(definition.container ?? ''));
    parts.definitionContainerEnds.push(parts.definitionHeap.length);
    parts.definitionKind.push(DEFINITION_KINDS.indexOf(definition.kind));
    parts.definitionLine.push(definition.line);
    parts.definitionEnd.push(definition.endLine);
  }

  #growTo(term: number): void {
    const length = Math.max(term + 1, this.#counts.length * 2);
    const counts = new Uint32Array(length);
    counts.set(this.#counts);
    this.#counts = counts;
    const levels = new Uint8Array(length);
    levels.set(this.#levels);
    this.#levels = levels;
  }
}

const LEVELS: Record<DefinitionKind, DefinitionLevel> = {
  class: 2,
  interface: 2,
  enum: 2,
  type: 2,
  module: 2,
  function: 1,
  method: 1,
  constant: 1,
  macro: 1,
  section: 1,
};

/** A segment as it grows. Postings are kept in the order they come and sorted by term at the end. */
class Parts {
  readonly blobNames = new GrowingArray(Uint8Array);
  readonly pathHeap = new GrowingArray(Uint8Array);
  readonly pathEnds = new GrowingArray(Uint32Array);
  readonly fileFirstChunk = new GrowingArray(Uint32Array);
  readonly fileFirstDefinition = new GrowingArray(Uint32Array);
  readonly fileLines = new GrowingArray(Uint32Array);
  readonly fileTerms = new GrowingArray(Uint32Array);
  readonly chunkFile = new GrowingArray(Uint32Array);
  readonly chunkStart = new GrowingArray(Uint32Array);
  readonly chunkEnd = new GrowingArray(Uint32Array);
  readonly chunkTerms = new GrowingArray(Uint16Array);
  readonly chunkDefinition = new GrowingArray(Uint32Array);
  readonly definitionHeap = new GrowingArray(Uint8Array);
  readonly definitionNameEnds = new GrowingArray(Uint32Array);
  readonly definitionContainerEnds = new GrowingArray(Uint32Array);
  readonly definitionKind = new GrowingArray(Uint8Array);
  readonly definitionLine = new GrowingArray(Uint32Array);
  readonly definitionEnd = new GrowingArray(Uint32Array);
  readonly chunkVectors = new GrowingArray(Uint8Array);
  readonly pathVectors = new GrowingArray(Uint8Array);
  readonly postingTerm = new GrowingArray(Uint32Array, 1 << 16);
  readonly postingChunk = new GrowingArray(Uint32Array, 1 << 16);
  readonly postingPacked = new GrowingArray(Uint8Array, 1 << 16);

  clear(): void {
    for (const array of Object.values(this)) (array as GrowingArray<Uint8Array>).clear();
  }

  toSections(numbers: TermNumbers): Omit<Sections, 'vectorSpace'> {
    const { postingTerm: _terms, postingChunk: _chunks, postingPacked: _packed, ...kept } = this;
    const sections = Object.fromEntries(Object.entries(kept).map(([name, array]) => [name, array.view()]));
    return { ...sections, ...this.#sortPostings(numbers) } as Omit<Sections, 'vectorSpace'>;
  }

  /** By counting: how many postings each term has says where its row begins. */
  #sortPostings(numbers: TermNumbers): Pick<Sections, 'termHashes' | 'postingEnds' | 'postings'> {
    const terms = this.postingTerm.view();
    const begins = new Uint32Array(numbers.size + 1);
    for (const term of terms) begins[term + 1]!++;
    const used: number[] = [];
    for (let term = 0; term < numbers.size; term++) {
      if (begins[term + 1] !== 0) used.push(term);
      begins[term + 1]! += begins[term]!;
    }
    const next = begins.slice();
    const chunks = new Uint32Array(terms.length);
    const packed = new Uint8Array(terms.length);
    const [chunksAsTheyCame, packedAsTheyCame] = [this.postingChunk.view(), this.postingPacked.view()];
    for (let posting = 0; posting < terms.length; posting++) {
      const place = next[terms[posting]!]!++;
      chunks[place] = chunksAsTheyCame[posting]!;
      packed[place] = packedAsTheyCame[posting]!;
    }

    const termOf = new Map<number, number>();
    for (const term of used) termOf.set(numbers.hash(term), term);
    const termHashes = Float64Array.from(termOf.keys()).sort();
    const postingEnds = new Uint32Array(termHashes.length);
    const postings = new GrowingArray(Uint8Array, terms.length * 2);
    for (let index = 0; index < termHashes.length; index++) {
      const term = termOf.get(termHashes[index]!)!;
      const end = begins[term + 1]!;
      let before = -1;
      for (let at = begins[term]!; at < end; at++) {
        writePosting(postings, chunks[at]! - before, packed[at]!);
        before = chunks[at]!;
      }
      postingEnds[index] = postings.length;
    }
    return { termHashes, postingEnds, postings: postings.view() };
  }
}
