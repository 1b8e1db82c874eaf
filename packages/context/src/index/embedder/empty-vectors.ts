import { packedDimensions, packVector } from '../vectors/pack-vector.ts';

/** Vectors of what is known of nothing, packed, of so many bytes each: near to nothing. */
export function emptyVectors(count: number, size: number): Uint8Array<ArrayBuffer> {
  const row = new Uint8Array(count * size);
  if (row.length === 0) return row;
  const first = row.subarray(0, size);
  packVector(new Float32Array(packedDimensions(size)), first);
  for (let at = 1; at < count; at++) row.set(first, at * size);
  return row;
}
