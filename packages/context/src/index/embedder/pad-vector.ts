import { BLOCK } from '../vectors/pack-vector.ts';

/** A vector filled up to whole blocks, as it is packed, with zeros, which change neither its length nor an angle. */
export function padVector(vector: Float32Array): Float32Array {
  const dimensions = Math.ceil(vector.length / BLOCK) * BLOCK;
  if (vector.length === dimensions) return vector;
  const padded = new Float32Array(dimensions);
  padded.set(vector);
  return padded;
}
