import { crc32 } from 'node:zlib';
import { BLOCK } from './pack-vector.ts';

const MAGIC = 0x56475244;
const VERSION = 1;
const HEADER_BYTES = 20;

/** Trained word vectors: a row for each word, and how much the word counts in a question and in code. */
export interface WordVectors {
  words: readonly string[];
  dimensions: number;
  /** Row after row, each of `dimensions`. */
  table: Int8Array;
  /** By row: what a number of the table is worth in a question, and in code. */
  askScales: Float32Array;
  sayScales: Float32Array;
  /** A sum over all of it; vectors of other weights cannot be compared with these. */
  sum: number;
}

/** The file that training makes and the engine reads: header, words one to a line, scales, table, and a sum over all. */
export function writeVectorFile({ words, dimensions, table, askScales, sayScales }: Omit<WordVectors, 'sum'>): Buffer {
  const rows = words.length;
  if (dimensions % BLOCK !== 0 || dimensions === 0)
    throw new Error(`${dimensions} dimensions: expected a multiple of ${BLOCK}`);
  if (table.length !== rows * dimensions || askScales.length !== rows || sayScales.length !== rows)
    throw new Error(`${rows} words need a table of ${rows * dimensions} numbers and ${rows} scales for each side`);
  const lines = words.join('\n');
  if (lines.split('\n').length !== rows) throw new Error('words stand one to a line: one or more, without line breaks');
  const text = Buffer.from(lines);
  const header = Buffer.alloc(HEADER_BYTES);
  for (const [index, value] of [MAGIC, VERSION, rows, dimensions, text.length].entries())
    header.writeUInt32LE(value, index * 4);
  const body = Buffer.concat([
    header,
    text,
    Buffer.alloc(-text.length & 3),
    Buffer.from(askScales.buffer, askScales.byteOffset, askScales.byteLength),
    Buffer.from(sayScales.buffer, sayScales.byteOffset, sayScales.byteLength),
    Buffer.from(table.buffer, table.byteOffset, table.byteLength),
  ]);
  const tail = Buffer.alloc(4);
  tail.writeUInt32LE(crc32(body));
  return Buffer.concat([body, tail]);
}

/** Throws, and says why, where the bytes are not what `writeVectorFile` made. */
export function readVectorFile(bytes: Buffer): WordVectors {
  if (bytes.length < HEADER_BYTES + 4 || bytes.readUInt32LE(0) !== MAGIC)
    throw new Error('this is not a file of word vectors');
  const [version, rows, dimensions, textBytes] = [4, 8, 12, 16].map((at) => bytes.readUInt32LE(at)) as [
    number,
    number,
    number,
    number,
  ];
  if (version !== VERSION) throw new Error(`word vectors of version ${version}; this program reads version ${VERSION}`);
  const scalesAt = HEADER_BYTES + textBytes + (-textBytes & 3);
  const tableAt = scalesAt + rows * 8;
  const end = tableAt + rows * dimensions;
  if (bytes.length !== end + 4) throw new Error(`word vectors of ${bytes.length} bytes; their header says ${end + 4}`);
  const sum = bytes.readUInt32LE(end);
  if (crc32(bytes.subarray(0, end)) !== sum) throw new Error('the word vectors are damaged: their sum is wrong');
  const words = bytes.toString('utf8', HEADER_BYTES, HEADER_BYTES + textBytes).split('\n');
  if (words.length !== rows) throw new Error(`${words.length} words for ${rows} rows`);
  // Copied, because a buffer may begin anywhere and numbers of four bytes may not.
  const scales = new Float32Array(new Uint8Array(bytes.subarray(scalesAt, tableAt)).buffer);
  return {
    words,
    dimensions,
    askScales: scales.subarray(0, rows),
    sayScales: scales.subarray(rows),
    table: new Int8Array(bytes.buffer, bytes.byteOffset + tableAt, rows * dimensions),
    sum,
  };
}
