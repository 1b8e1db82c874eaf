/** A term as a number: 52 bits, so that it is exact in a double and sorts as one. */
export function termHash(term: string): number {
  let high = 0x811c9dc5;
  let low = 0x9747b28c;
  for (let at = 0; at < term.length; at++) {
    const code = term.charCodeAt(at);
    high = Math.imul(high ^ code, 0x01000193);
    low = Math.imul(low ^ code, 0x5bd1e995);
    low ^= low >>> 15;
  }
  high ^= high >>> 16;
  high = Math.imul(high, 0x85ebca6b);
  high ^= high >>> 13;
  low = Math.imul(low, 0xc2b2ae35);
  low ^= low >>> 16;
  return (high >>> 12) * 0x1_0000_0000 + (low >>> 0);
}
