/** A random test's count: all of it in a soak, about 1 % of it in the ordinary run. */
export function rounds(full: number): number {
  return isSoak() ? full : Math.max(1, Math.round(full * 0.01));
}

export function isSoak(): boolean {
  return process.env['DRAGOMAN_SOAK'] === '1';
}
