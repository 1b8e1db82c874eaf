/** What a walk has met so far, and where its time went. */
export class PathMetrics {
  readonly name = 'Path metrics';
  readonly counters = {
    'directories emitted': 0,
    'files emitted': 0,
    'other paths emitted': 0,
    'total paths emitted': 0,
  };
  /** Milliseconds, added up. */
  readonly timings = { readDir: 0, filter: 0, yield: 0, total: 0 };
}
