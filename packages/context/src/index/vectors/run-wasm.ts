import { assembleWasm, type WasmFunction } from './assemble-wasm.ts';

/** A function that was compiled and has no memory yet. */
export interface CompiledWasm {
  name: string;
  module: object;
}

/** Takes a millisecond or so. */
export function compileWasm(code: WasmFunction): CompiledWasm {
  return { name: code.name, module: new WebAssembly.Module(assembleWasm(code)) };
}

/** Such a function with a memory of its own of at least so many bytes, which never grows, so that what lies in it stays in its place. */
export function runWasm(
  { name, module }: CompiledWasm,
  bytes: number,
): { buffer: ArrayBuffer; call: (...parameters: number[]) => void } {
  const pages = Math.ceil(bytes / PAGE_BYTES);
  const memory = new WebAssembly.Memory({ initial: pages, maximum: pages });
  const { exports } = new WebAssembly.Instance(module, { host: { memory } });
  return { buffer: memory.buffer, call: exports[name] as (...parameters: number[]) => void };
}

const PAGE_BYTES = 65_536;

/** The little of WebAssembly that is used; Node's types leave it out, and the browser's would bring in the whole browser. */
declare const WebAssembly: {
  Module: new (bytes: Uint8Array<ArrayBuffer>) => object;
  Memory: new (pages: { initial: number; maximum: number }) => { readonly buffer: ArrayBuffer };
  Instance: new (
    module: object,
    imports: { host: { memory: object } },
  ) => { readonly exports: Record<string, unknown> };
};
