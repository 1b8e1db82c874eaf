import { closeSync, fstatSync, fsyncSync, mkdirSync, openSync, readSync, renameSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { crc32 } from 'node:zlib';

/** Changes when the meaning of the bytes does: segments of another version are built anew. */
const SEGMENT_VERSION = 4;
const MAGIC = 0x4d475244;

const ARRAY_TYPES = {
  u8: Uint8Array,
  u16: Uint16Array,
  u32: Uint32Array,
  f64: Float64Array,
} as const;
type ArrayType = keyof typeof ARRAY_TYPES;
type ArrayOf<Type extends ArrayType> = InstanceType<(typeof ARRAY_TYPES)[Type]>;

/** What a segment consists of. Files own chunks and definitions in a row, so one first-index each is enough. */
const SECTIONS = {
  /** 32 bytes a file. */
  blobNames: 'u8',
  pathHeap: 'u8',
  pathEnds: 'u32',
  fileFirstChunk: 'u32',
  fileFirstDefinition: 'u32',
  fileLines: 'u32',
  fileTerms: 'u32',
  chunkFile: 'u32',
  chunkStart: 'u32',
  chunkEnd: 'u32',
  chunkTerms: 'u16',
  /** Number of the definition that the chunk is, plus one. */
  chunkDefinition: 'u32',
  definitionHeap: 'u8',
  definitionNameEnds: 'u32',
  definitionContainerEnds: 'u32',
  definitionKind: 'u8',
  definitionLine: 'u32',
  definitionEnd: 'u32',
  /** Sorted; parallel to `postingEnds`. */
  termHashes: 'f64',
  postingEnds: 'u32',
  postings: 'u8',
  /** What the vectors can be compared with, in letters; nothing where there are none. */
  vectorSpace: 'u8',
  /** Packed, as many bytes for each as for any other. */
  chunkVectors: 'u8',
  pathVectors: 'u8',
} as const satisfies Record<string, ArrayType>;
export type SectionName = keyof typeof SECTIONS;
export type Sections = { [Name in SectionName]: ArrayOf<(typeof SECTIONS)[Name]> };

const NAMES = Object.keys(SECTIONS) as SectionName[];
/** Magic, version, then offset and byte length of each section; at the very end the magic again and a sum over the rest. */
const HEADER_BYTES = 8 + NAMES.length * 16;
const TAIL_BYTES = 8;
const PADDING = new Uint8Array(8);
/** How much is read at a time to be summed up. */
const PIECE_BYTES = 1 << 20;

/** Written beside its place and moved there when it is whole and on the disk: what has the name is complete. */
export function writeSegmentFile(file: string, sections: Sections): number {
  const header = new DataView(new ArrayBuffer(HEADER_BYTES));
  header.setUint32(0, MAGIC, true);
  header.setUint32(4, SEGMENT_VERSION, true);
  let offset = HEADER_BYTES;
  const pieces = [new Uint8Array(header.buffer)];
  for (const [index, name] of NAMES.entries()) {
    const section = sections[name];
    header.setFloat64(8 + index * 16, offset, true);
    header.setFloat64(16 + index * 16, section.byteLength, true);
    pieces.push(new Uint8Array(section.buffer, section.byteOffset, section.byteLength));
    const padding = -section.byteLength & 7;
    if (padding > 0) pieces.push(PADDING.subarray(0, padding));
    offset += section.byteLength + padding;
  }
  const tail = new DataView(new ArrayBuffer(TAIL_BYTES));
  tail.setUint32(0, MAGIC, true);
  tail.setUint32(
    4,
    pieces.reduce((sum, piece) => crc32(piece, sum), 0),
    true,
  );
  pieces.push(new Uint8Array(tail.buffer));

  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  const partial = `${file}.partial`;
  const fd = openSync(partial, 'w', 0o600);
  try {
    for (const bytes of pieces) {
      for (let done = 0; done < bytes.length;) done += writeSync(fd, bytes, done, bytes.length - done);
    }
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
  renameSync(partial, file);
  return offset + TAIL_BYTES;
}

/** An open segment file whose sections are read when they are wanted. */
export class SegmentFile {
  readonly #fd: number;
  readonly #places = new Map<SectionName, [number, number]>();
  readonly bytes: number;
  readonly #writtenAt: number;

  /**
   * Throws where the file is missing, of another version, or not what was written. That is found out by reading it once,
   * half a second a gigabyte. It is not where its last write is known to be the one that made it.
   */
  constructor(file: string, { writtenAt }: { writtenAt?: number | undefined } = {}) {
    this.#fd = openSync(file, 'r');
    try {
      const { size, mtimeMs } = fstatSync(this.#fd);
      this.bytes = size;
      this.#writtenAt = mtimeMs;
      const header = Buffer.alloc(HEADER_BYTES);
      const tail = Buffer.alloc(TAIL_BYTES);
      if (
        readSync(this.#fd, header, 0, HEADER_BYTES, 0) !== HEADER_BYTES ||
        readSync(this.#fd, tail, 0, TAIL_BYTES, Math.max(0, this.bytes - TAIL_BYTES)) !== TAIL_BYTES ||
        header.readUInt32LE(0) !== MAGIC ||
        header.readUInt32LE(4) !== SEGMENT_VERSION ||
        tail.readUInt32LE(0) !== MAGIC
      )
        throw new Error(`${file} is not a whole segment of version ${SEGMENT_VERSION}`);
      if (mtimeMs !== writtenAt && this.#sum() !== tail.readUInt32LE(4))
        throw new Error(`${file} is not what was written`);
      for (const [index, name] of NAMES.entries())
        this.#places.set(name, [header.readDoubleLE(8 + index * 16), header.readDoubleLE(16 + index * 16)]);
    } catch (error) {
      closeSync(this.#fd);
      throw error;
    }
  }

  read<Name extends SectionName>(name: Name): Sections[Name] {
    const [offset, length] = this.#places.get(name)!;
    const buffer = new ArrayBuffer(length);
    this.#readInto(new Uint8Array(buffer), offset);
    return new ARRAY_TYPES[SECTIONS[name]](buffer) as Sections[Name];
  }

  /** How many bytes a section has. */
  bytesOf(name: SectionName): number {
    return this.#places.get(name)![1];
  }

  /** The same into memory that is there already. */
  readSectionInto(name: SectionName, into: Uint8Array): void {
    this.#readInto(into, this.#places.get(name)![0]);
  }

  /** Over everything but the tail. */
  #sum(): number {
    const buffer = Buffer.allocUnsafeSlow(Math.min(PIECE_BYTES, this.bytes));
    const end = this.bytes - TAIL_BYTES;
    let sum = 0;
    for (let at = 0; at < end;) {
      const piece = buffer.subarray(0, Math.min(buffer.length, end - at));
      this.#readInto(piece, at);
      sum = crc32(piece, sum);
      at += piece.length;
    }
    return sum;
  }

  #readInto(into: Uint8Array, offset: number): void {
    for (let done = 0; done < into.length;) {
      const count = readSync(this.#fd, into, done, into.length - done, offset + done);
      if (count === 0) throw new Error('the segment ends too early');
      done += count;
    }
  }

  /** A segment never changes: one that did, or was deleted, is damaged, even if it can be read. */
  isUntouched(): boolean {
    const { size, mtimeMs, nlink } = fstatSync(this.#fd);
    return nlink > 0 && size === this.bytes && mtimeMs === this.#writtenAt;
  }

  close(): void {
    closeSync(this.#fd);
  }
}
