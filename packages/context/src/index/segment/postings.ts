import type { GrowingArray } from './growing-array.ts';

/** How strongly a chunk's definitions carry the term: not at all, in the name of a member, of something large. */
export type DefinitionLevel = 0 | 1 | 2;

/** What one term has in one chunk, in a byte: how often it stands there (up to 63), and its level. */
export function packPosting(count: number, level: DefinitionLevel): number {
  return Math.min(count, 63) | (level << 6);
}

/** Appends one posting: the distance to the chunk before, doubled, odd where a byte with more than "once" follows. */
export function writePosting(into: GrowingArray<Uint8Array>, distance: number, packed: number): void {
  const isPlain = packed === 1;
  let rest = distance * 2 + (isPlain ? 0 : 1);
  while (rest >= 128) {
    into.push((rest & 127) | 128);
    rest = Math.floor(rest / 128);
  }
  into.push(rest);
  if (!isPlain) into.push(packed);
}

/** Calls `each` with chunk and packed byte for every posting in `bytes[0..length)`. */
export function readPostings(bytes: Uint8Array, length: number, each: (chunk: number, packed: number) => void): void {
  let chunk = -1;
  let at = 0;
  while (at < length) {
    let byte = bytes[at++]!;
    let value = byte & 127;
    for (let shift = 7; byte >= 128; shift += 7) {
      byte = bytes[at++]!;
      value |= (byte & 127) << shift;
    }
    chunk += value >>> 1;
    each(chunk, (value & 1) === 0 ? 1 : bytes[at++]!);
  }
}
