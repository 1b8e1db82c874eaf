import { halfStep, vectorLength } from './pack-vector.ts';

/** The largest int8 that has its opposite. */
const MOST = 127;

/** A vector to compare packed ones with. */
export interface PackedQuery {
  /** What `VectorTable.scan` multiplies with. */
  numbers: Int8Array;
  /** What 1 in its products is worth as a cosine. */
  scale: number;
}

/**
 * Makes a query out of a vector of any length. There is one query and many vectors, so it can have eight bits a number, and
 * all of them are used: the largest becomes 127 or -127. A vector without length is at a right angle to everything.
 */
export function packQuery(values: Float32Array): PackedQuery {
  const most = values.reduce((found, value) => Math.max(found, Math.abs(value)), 0);
  if (most === 0) return { numbers: new Int8Array(values.length), scale: 0 };
  return {
    numbers: Int8Array.from(values, (value) => Math.round((value / most) * MOST)),
    scale: (most / MOST / vectorLength(values)) * halfStep(values.length),
  };
}
