import { DragomanError } from '@dragoman/protocol/error';
import { dotProductsWasm } from './dot-products-wasm.ts';
import { BLOCK, CODES, packedBytes } from './pack-vector.ts';
import { newMemory, runWasm, type WasmMemory } from './run-wasm.ts';

/** The largest sum, of products of -128 and -15 or 15, is an int32 by far. */
const MOST_DIMENSIONS = 65_536;
const MOST_BYTES = 2 ** 32;
const CACHE_LINE = 64;

/** A table as it is sent to another thread, which then reads and scans the same memory. */
export interface SharedTable {
  count: number;
  dimensions: number;
  memory: WasmMemory;
}

/**
 * Packed vectors in memory that WebAssembly reads, all of as many numbers (a multiple of 32), one after another.
 *
 * The scan is exact: at a few milliseconds for a hundred thousand vectors there is nothing that an approximate index would
 * save. Each table has a memory of its own, which costs nothing where it was not filled yet and is given back with the table.
 */
export class VectorTable {
  readonly count: number;
  readonly dimensions: number;
  /**
   * Where the vectors lie, each as `packVector` writes it, to be filled by the caller (for example by readSync from a file). They stay in
   * this place as long as the table lives.
   */
  readonly bytes: Uint8Array;
  /** What the last scan of all of them found, in whichever thread. */
  readonly products: Int32Array;
  readonly #memory: WasmMemory;
  readonly #query: Int8Array;
  readonly #dotProducts: (less: number, vector: number, result: number, count: number) => void;

  /** A new one, or the one that another thread shares. */
  constructor(count: number, dimensions: number, memory?: WasmMemory) {
    if (!Number.isSafeInteger(count) || count < 0) throw new Error(`${count} vectors: expected 0 or more`);
    if (!(dimensions > 0 && dimensions <= MOST_DIMENSIONS && dimensions % BLOCK === 0)) {
      throw new Error(`${dimensions} dimensions: expected a multiple of ${BLOCK}, at most ${MOST_DIMENSIONS}`);
    }
    this.count = count;
    this.dimensions = dimensions;

    // The query at address 0, then room for the results, then the vectors.
    const results = toCacheLine(dimensions);
    const vectors = toCacheLine(results + count * Int32Array.BYTES_PER_ELEMENT);
    this.#memory = memory ?? allocate(vectors + count * packedBytes(dimensions), this);
    const { buffer } = this.#memory;
    this.#query = new Int8Array(buffer, 0, dimensions);
    this.products = new Int32Array(buffer, results, count);
    this.bytes = new Uint8Array(buffer, vectors, count * packedBytes(dimensions));
    this.#dotProducts = runWasm(dotProductsWasm(dimensions), this.#memory);
  }

  get shared(): SharedTable {
    return { count: this.count, dimensions: this.dimensions, memory: this.#memory };
  }

  /**
   * The dot product of `query` (int8, `dimensions` long) with each vector from..to (default all), whose numbers are taken as
   * 2 * code - 15. They lie in the table and hold until the next scan.
   */
  scan(query: Int8Array, from = 0, to = this.count): Int32Array {
    const { dimensions } = this;
    if (query.length !== dimensions) throw new Error(`a query of ${query.length} dimensions; expected ${dimensions}`);
    if (!(Number.isInteger(from) && Number.isInteger(to) && 0 <= from && from <= to && to <= this.count)) {
      throw new Error(`vectors ${from} to ${to} of a table of ${this.count}`);
    }
    const products = this.products.subarray(0, to - from);
    if (products.length === 0) return products;

    // The sum of query * (2 * code - 15) is twice that of query * code, less the same for every vector.
    const less = query.reduce((sum, number) => sum + number, 0) * (CODES - 1);
    const first = this.bytes.byteOffset + from * packedBytes(dimensions);
    this.#query.set(query);
    this.#dotProducts(less, first, products.byteOffset, products.length);
    return products;
  }
}

function toCacheLine(address: number): number {
  return Math.ceil(address / CACHE_LINE) * CACHE_LINE;
}

function allocate(bytes: number, { count, dimensions }: VectorTable): WasmMemory {
  const what = `A table of ${count} vectors of ${dimensions} dimensions takes ${bytes} bytes`;
  if (bytes > MOST_BYTES) {
    throw new DragomanError('too-large', `${what}; the limit is ${MOST_BYTES}: use several tables`);
  }
  try {
    return newMemory(dotProductsWasm(dimensions), bytes);
  } catch (cause) {
    if (!(cause instanceof RangeError)) throw cause;
    throw new DragomanError(
      'too-large',
      `${what}, more than this process may have: give it more memory, or lift \`ulimit -v\``,
      { cause },
    );
  }
}
