/** Where in a sorted stretch the first number stands that is not smaller. */
export function lowerBound(sorted: Uint32Array | Float32Array, from: number, to: number, value: number): number {
  let low = from;
  let high = to;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (sorted[middle]! < value) low = middle + 1;
    else high = middle;
  }
  return low;
}
