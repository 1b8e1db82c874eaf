import { assembleWasm, type WasmFunction } from './assemble-wasm.ts';

/** A function that was compiled and has no memory yet. */
export interface CompiledWasm {
  name: string;
  isShared: boolean;
  module: object;
}

/** A memory that a function works on. One that is shared can be sent to other threads. */
export interface WasmMemory {
  readonly buffer: ArrayBuffer | SharedArrayBuffer;
}

/** Takes a millisecond or so. */
export function compileWasm(code: WasmFunction): CompiledWasm {
  return { name: code.name, isShared: code.isShared === true, module: new WebAssembly.Module(assembleWasm(code)) };
}

/** A memory for such a function, of at least so many bytes. It never grows, so that what lies in it stays in its place. */
export function newMemory({ isShared }: CompiledWasm, bytes: number): WasmMemory {
  const pages = Math.ceil(bytes / PAGE_BYTES);
  return new WebAssembly.Memory({ initial: pages, maximum: pages, shared: isShared });
}

/** Such a function, working on this memory. */
export function runWasm({ name, module }: CompiledWasm, memory: WasmMemory): (...parameters: number[]) => void {
  const { exports } = new WebAssembly.Instance(module, { host: { memory } });
  return exports[name] as (...parameters: number[]) => void;
}

const PAGE_BYTES = 65_536;

/** The little of WebAssembly that is used; Node's types leave it out, and the browser's would bring in the whole browser. */
declare const WebAssembly: {
  Module: new (bytes: Uint8Array<ArrayBuffer>) => object;
  Memory: new (pages: { initial: number; maximum: number; shared: boolean }) => WasmMemory;
  Instance: new (
    module: object,
    imports: { host: { memory: WasmMemory } },
  ) => { readonly exports: Record<string, unknown> };
};
