/** The codes 0 to 15 stand for these many half steps, 2 * code - 15: from -15 to 15, in twos. */
export const CODES = 16;
/** Numbers are packed in blocks of so many: byte j of a block has number j in its low four bits, number j + 16 in its high. */
export const BLOCK = 32;
/** Sixteen even steps lose least of a normal distribution where each is so many deviations wide. */
const STEP_IN_DEVIATIONS = 0.3352;

/**
 * Brings a vector of any length to length 1 and writes it down in four bits a number, to `packedBytes` bytes.
 *
 * That makes an index half as large as bytes would, and moves a cosine by about 0.005. No code stands for 0: a vector that has
 * no length becomes the least there is, now above 0 and now below, and is near to nothing.
 */
export function packVector(values: Float32Array, into: Uint8Array): void {
  const dimensions = values.length;
  if (dimensions % BLOCK !== 0 || into.length !== packedBytes(dimensions))
    throw new Error(`${dimensions} numbers into ${into.length} bytes: expected a multiple of ${BLOCK}, two to a byte`);
  const length = vectorLength(values);
  if (length === 0) {
    for (let at = 0; at < into.length; at++) into[at] = at % 2 === 0 ? 0x77 : 0x88;
    return;
  }
  const steps = 1 / (length * 2 * halfStep(dimensions));
  const half = BLOCK / 2;
  for (let block = 0, at = 0; block < dimensions; block += BLOCK) {
    for (let number = block; number < block + half; number++)
      into[at++] = codeOf(values[number]! * steps) | (codeOf(values[number + half]! * steps) << 4);
  }
}

/** What a packed vector takes. */
export function packedBytes(dimensions: number): number {
  return dimensions / 2;
}

/** How many numbers a packed vector of so many bytes has. */
export function packedDimensions(bytes: number): number {
  return bytes * 2;
}

/** What 1 is worth in 2 * code - 15: numbers of a vector of length 1 scatter by 1 / √dimensions. */
export function halfStep(dimensions: number): number {
  return STEP_IN_DEVIATIONS / 2 / Math.sqrt(dimensions);
}

/** How long a vector is. */
export function vectorLength(values: Float32Array): number {
  let square = 0;
  for (let index = 0; index < values.length; index++) square += values[index]! * values[index]!;
  return Math.sqrt(square);
}

/** The step that a number falls into; what is beyond the last one is cut off. */
function codeOf(steps: number): number {
  return Math.max(0, Math.min(CODES - 1, Math.floor(steps) + CODES / 2));
}
