import { wasm, type WasmCode } from './assemble-wasm.ts';
import { compileWasm, newMemory, runWasm } from './run-wasm.ts';

/** A row in the list: where it lies, and what its numbers are worth. */
const ENTRY_BYTES = 8;
/** So many numbers of the table are one load. */
const STEP = 16;

/**
 * Adds up rows of a table of small numbers, each with a weight, in WebAssembly: a chunk of code is the sum of a hundred rows,
 * and a number at a time that would take longer than everything else that is done to a file.
 */
export class RowSums {
  /** The table, in memory that WebAssembly reads. */
  readonly table: Int8Array;
  /** The sum; overwritten by the next one. */
  readonly sum: Float32Array;
  readonly #addresses: Uint32Array;
  readonly #weights: Float32Array;
  readonly #listAt: number;
  readonly #sumRows: (list: number, end: number) => void;
  #count = 0;

  /** At most `mostRows` rows are added up at a time. */
  constructor(table: Int8Array, dimensions: number, mostRows: number) {
    const listAt = dimensions * Float32Array.BYTES_PER_ELEMENT;
    const tableAt = listAt + mostRows * ENTRY_BYTES;
    const code = compileWasm({
      name: 'sumRows',
      parameters: ['i32', 'i32'],
      locals: ['i32', 'v128', 'v128', 'v128', 'v128', 'v128', 'v128', 'v128'],
      body: sumSteps(dimensions),
    });
    const memory = newMemory(code, tableAt + table.length);
    const { buffer } = memory;
    this.#sumRows = runWasm(code, memory);
    this.sum = new Float32Array(buffer, 0, dimensions);
    this.#addresses = new Uint32Array(buffer, listAt, mostRows * 2);
    this.#weights = new Float32Array(buffer, listAt, mostRows * 2);
    this.#listAt = listAt;
    this.table = new Int8Array(buffer, tableAt, table.length);
    this.table.set(table);
  }

  add(row: number, weight: number): void {
    this.#addresses[this.#count * 2] = this.table.byteOffset + row * this.sum.length;
    this.#weights[this.#count * 2 + 1] = weight;
    this.#count++;
  }

  /** The sum of what was added since the last one. */
  finish(): Float32Array {
    if (this.#count === 0) this.sum.fill(0);
    else this.#sumRows(this.#listAt, this.#listAt + this.#count * ENTRY_BYTES);
    this.#count = 0;
    return this.sum;
  }
}

// Parameters first, then locals.
const list = 0;
const end = 1;
const at = 2;
const weight = 3;
const numbers = 4;
const half = 5;
const sums = [6, 7, 8, 9] as const;

const { loop, brIf, localGet: get, localSet: set, i32Const, i32Add, i32LtU, i32Load } = wasm;
const { v128Load, v128Load32Splat, v128Store, i32x4Splat, f32x4Add, f32x4Mul, f32x4ConvertI32x4S } = wasm;
const { i16x8ExtendLowI8x16S, i16x8ExtendHighI8x16S, i32x4ExtendLowI16x8S, i32x4ExtendHighI16x8S } = wasm;

/** Sixteen numbers of all rows, then the next sixteen: so the sums stay where the processor adds. */
function sumSteps(dimensions: number): WasmCode {
  return Array.from({ length: dimensions / STEP }, (_, step) => [
    ...sums.flatMap((sum) => set(sum, i32x4Splat(i32Const(0)))),
    ...set(at, get(list)),
    ...loop(
      set(numbers, v128Load(i32Load(get(at)), step * STEP)),
      set(weight, v128Load32Splat(get(at), 4)),
      set(half, i16x8ExtendLowI8x16S(get(numbers))),
      addFour(sums[0], i32x4ExtendLowI16x8S(get(half))),
      addFour(sums[1], i32x4ExtendHighI16x8S(get(half))),
      set(half, i16x8ExtendHighI8x16S(get(numbers))),
      addFour(sums[2], i32x4ExtendLowI16x8S(get(half))),
      addFour(sums[3], i32x4ExtendHighI16x8S(get(half))),
      set(at, i32Add(get(at), i32Const(ENTRY_BYTES))),
      brIf(i32LtU(get(at), get(end))),
    ),
    ...sums.flatMap((sum, four) => v128Store(i32Const(0), get(sum), (step * STEP + four * 4) * 4)),
  ]).flat();
}

function addFour(sum: number, four: WasmCode): WasmCode {
  return set(sum, f32x4Add(get(sum), f32x4Mul(get(weight), f32x4ConvertI32x4S(four))));
}
