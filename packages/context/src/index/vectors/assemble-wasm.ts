/** Instructions in a row, as bytes. */
export type WasmCode = readonly number[];

/** What a parameter or local may hold. */
const WASM_TYPE = { i32: 0x7f, v128: 0x7b } as const;

/** A function of one memory that returns nothing: it reads and writes there. Locals are numbered after the parameters. */
export interface WasmFunction {
  name: string;
  /** Whether several threads see its memory. */
  isShared?: boolean;
  parameters: readonly (keyof typeof WASM_TYPE)[];
  locals: readonly (keyof typeof WASM_TYPE)[];
  body: WasmCode;
}

/**
 * The bytes of a WebAssembly module that exports one function and imports the memory it works on, as `memory` of `host`.
 *
 * A function of a few lines needs no compiler: an instruction is a byte or two after its operands, a module is a handful of
 * sections. See "Binary Format" in the WebAssembly specification, whose names are used here.
 */
export function assembleWasm({
  name,
  isShared = false,
  parameters,
  locals,
  body,
}: WasmFunction): Uint8Array<ArrayBuffer> {
  const type = [0x60, ...vector(parameters.map((each) => [WASM_TYPE[each]])), ...vector([])];
  const anyMemory = isShared ? [0x02, 0x03, 0x00, ...unsigned(MOST_PAGES)] : [0x02, 0x00, 0x00];
  const code = [...vector(locals.map((each) => [1, WASM_TYPE[each]])), ...body, END];
  return Uint8Array.from([
    ...MAGIC,
    ...VERSION,
    ...section(1, [type]),
    ...section(2, [[...text('host'), ...text('memory'), ...anyMemory]]),
    ...section(3, [[0]]), // function 0 is of type 0
    ...section(7, [[...text(name), 0x00, 0]]), // and exported
    ...section(10, [[...unsigned(code.length), ...code]]),
  ]);
}

/** The instructions, each taking the code of its operands, so that code reads as an expression; named as in the specification. */
export const wasm = {
  /** Runs `body` once, and again whenever `brIf` at its end says so. */
  loop: (...body: WasmCode[]): WasmCode => [0x03, 0x40, ...body.flat(), END],
  /** Back to the start of the innermost loop unless `condition` is 0. */
  brIf: (condition: WasmCode): WasmCode => [...condition, 0x0d, 0],
  localGet: (local: number): WasmCode => [0x20, ...unsigned(local)],
  localSet: (local: number, value: WasmCode): WasmCode => [...value, 0x21, ...unsigned(local)],
  /** 0 or more. */
  i32Const: (value: number): WasmCode => [0x41, ...signed(value)],
  i32Add: (one: WasmCode, other: WasmCode): WasmCode => [...one, ...other, 0x6a],
  i32Sub: (one: WasmCode, other: WasmCode): WasmCode => [...one, ...other, 0x6b],
  /** Unsigned, as addresses are. */
  i32LtU: (one: WasmCode, other: WasmCode): WasmCode => [...one, ...other, 0x49],
  /** The bits of `value`, so many places up. */
  i32Shl: (value: WasmCode, places: WasmCode): WasmCode => [...value, ...places, 0x74],
  i32Load: (address: WasmCode): WasmCode => [...address, 0x28, ...UNALIGNED],
  i32Store: (address: WasmCode, value: WasmCode): WasmCode => [...address, ...value, 0x36, ...UNALIGNED],
  /** Sixteen bytes from `offset` after the address on. */
  v128Load: (address: WasmCode, offset = 0): WasmCode => [...address, ...simd(0x00), 0, ...unsigned(offset)],
  v128Store: (address: WasmCode, value: WasmCode, offset = 0): WasmCode => [
    ...address,
    ...value,
    ...simd(0x0b),
    0,
    ...unsigned(offset),
  ],
  /** Four times the four bytes from `offset` after the address on. */
  v128Load32Splat: (address: WasmCode, offset = 0): WasmCode => [...address, ...simd(0x09), 0, ...unsigned(offset)],
  v128And: (one: WasmCode, other: WasmCode): WasmCode => [...one, ...other, ...simd(0x4e)],
  i8x16Splat: (value: WasmCode): WasmCode => [...value, ...simd(0x0f)],
  /** Each of sixteen bytes, so many places down; zeros come in from above. */
  i8x16ShrU: (value: WasmCode, places: WasmCode): WasmCode => [...value, ...places, ...simd(0x6d)],
  i32x4Splat: (value: WasmCode): WasmCode => [...value, ...simd(0x11)],
  i32x4ExtractLane: (lane: number, value: WasmCode): WasmCode => [...value, ...simd(0x1b), lane],
  i32x4Add: (one: WasmCode, other: WasmCode): WasmCode => [...one, ...other, ...simd(0xae)],
  /** The first or the last eight of sixteen bytes, or four of eight numbers, in twice the bits. */
  i16x8ExtendLowI8x16S: (value: WasmCode): WasmCode => [...value, ...simd(0x87)],
  i16x8ExtendHighI8x16S: (value: WasmCode): WasmCode => [...value, ...simd(0x88)],
  i32x4ExtendLowI16x8S: (value: WasmCode): WasmCode => [...value, ...simd(0xa7)],
  i32x4ExtendHighI16x8S: (value: WasmCode): WasmCode => [...value, ...simd(0xa8)],
  f32x4ConvertI32x4S: (value: WasmCode): WasmCode => [...value, ...simd(0xfa)],
  f32x4Add: (one: WasmCode, other: WasmCode): WasmCode => [...one, ...other, ...simd(0xe4)],
  f32x4Mul: (one: WasmCode, other: WasmCode): WasmCode => [...one, ...other, ...simd(0xe6)],
  /**
   * Adds the products of sixteen bytes and sixteen of 0 to 127, four neighbours together, to four numbers of 32 bits. Of the
   * relaxed instructions, but exact where two products side by side fit into 16 bits.
   */
  i32x4RelaxedDotI8x16I7x16AddS: (one: WasmCode, other: WasmCode, sums: WasmCode): WasmCode => [
    ...one,
    ...other,
    ...sums,
    ...simd(0x113),
  ],
};

/** A zero byte and "asm". */
const MAGIC = [0x00, 0x61, 0x73, 0x6d];
const VERSION = [1, 0, 0, 0];
const END = 0x0b;
/** As many as there can be; a memory that is shared has to name its limit. */
const MOST_PAGES = 65_536;
/** How a memory is reached: nothing promised about the address, nothing added to it. */
const UNALIGNED = [0, 0];

function simd(operation: number): WasmCode {
  return [0xfd, ...unsigned(operation)];
}

function section(id: number, items: readonly WasmCode[]): WasmCode {
  const content = vector(items);
  return [id, ...unsigned(content.length), ...content];
}

function vector(items: readonly WasmCode[]): WasmCode {
  return [...unsigned(items.length), ...items.flat()];
}

function text(ascii: string): WasmCode {
  return vector(Array.from(ascii, (letter) => [letter.charCodeAt(0)]));
}

/** LEB128: seven bits a byte, the lowest first; the top bit says that more follow. */
function unsigned(value: number): WasmCode {
  return value < 0x80 ? [value] : [(value & 0x7f) | 0x80, ...unsigned(value >>> 7)];
}

/** The same for a number that could have a sign: the highest bit of the last seven is it. */
function signed(value: number): WasmCode {
  return value < 0x40 ? [value] : [(value & 0x7f) | 0x80, ...signed(value >>> 7)];
}
