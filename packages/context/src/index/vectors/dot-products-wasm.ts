import { wasm, type WasmCode } from './assemble-wasm.ts';
import { BLOCK } from './pack-vector.ts';
import { type CompiledWasm, compileWasm } from './run-wasm.ts';

/** By dimensions. */
const compiled = new Map<number, CompiledWasm>();

/**
 * `dotProducts(less, vector, result, count)` multiplies the query, which lies at address 0, with the codes of each of `count` (1
 * or more) packed vectors that lie one after another from `vector` on, and writes twice the sum less `less`, an int32, for each
 * from `result` on.
 *
 * The code is the same for all tables of as many dimensions and compiled once, when the first one asks.
 */
export function dotProductsWasm(dimensions: number): CompiledWasm {
  let known = compiled.get(dimensions);
  if (known === undefined) {
    known = compileWasm({
      name: 'dotProducts',
      isShared: true,
      parameters: ['i32', 'i32', 'i32', 'i32'],
      locals: ['v128', 'v128', 'v128'],
      body: eachVector(dimensions),
    });
    compiled.set(dimensions, known);
  }
  return known;
}

// Parameters first, then locals.
const less = 0;
const vector = 1;
const result = 2;
const count = 3;
const codes = 4;
const lows = 5;
const highs = 6;

const { loop, brIf, localGet: get, localSet: set, i32Const, i32Add, i32Sub, i32Shl, i32Store } = wasm;
const { v128Load, v128And, i8x16Splat, i8x16ShrU, i32x4Splat, i32x4ExtractLane, i32x4Add } = wasm;
const { i32x4RelaxedDotI8x16I7x16AddS: addProducts } = wasm;

/**
 * One vector after the other, all of its blocks written out: a loop over them would cost as much as the products.
 *
 * Addresses are added to and never compared, since they have no sign here: a table may end anywhere in the four gibibytes.
 */
function eachVector(dimensions: number): WasmCode {
  return loop(
    set(lows, i32x4Splat(i32Const(0))),
    set(highs, i32x4Splat(i32Const(0))),
    ...Array.from({ length: dimensions / BLOCK }, (_, block) => addBlock(block)),
    set(lows, i32x4Add(get(lows), get(highs))),
    i32Store(get(result), i32Sub(i32Shl(sumOfLanes(), i32Const(1)), get(less))),
    set(vector, i32Add(get(vector), i32Const(dimensions / 2))),
    set(result, i32Add(get(result), i32Const(4))),
    set(count, i32Sub(get(count), i32Const(1))),
    brIf(get(count)),
  );
}

/**
 * A block of 32 numbers is sixteen bytes, whose low halves meet the first sixteen numbers of the query's block and whose high
 * halves meet the other sixteen. Two products of -128 and 15 are far from the end of 16 bits, so all of it is exact on every
 * processor. The halves have sums of their own, so that neither waits for the other.
 */
function addBlock(block: number): WasmCode {
  const [query, low, high] = [i32Const(0), block * BLOCK, block * BLOCK + BLOCK / 2];
  return [
    set(codes, v128Load(get(vector), (block * BLOCK) / 2)),
    set(lows, addProducts(v128Load(query, low), v128And(get(codes), i8x16Splat(i32Const(15))), get(lows))),
    set(highs, addProducts(v128Load(query, high), i8x16ShrU(get(codes), i32Const(4)), get(highs))),
  ].flat();
}

function sumOfLanes(): WasmCode {
  return i32Add(i32Add(lane(0), lane(1)), i32Add(lane(2), lane(3)));
}

function lane(number: number): WasmCode {
  return i32x4ExtractLane(number, get(lows));
}
