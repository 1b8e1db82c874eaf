const COUNTERS = [
  'paths accepted',
  'paths not accessible',
  'not plain files',
  'large files',
  'blob name calculation fails',
  'encoding errors',
  'mtime cache hits',
  'mtime cache misses',
  'probe batches',
  'blob names probed',
  'files read',
  'blobs uploaded',
] as const;
const TIMINGS = ['ingestPath', 'probe', 'stat', 'read', 'upload', 'calculate'] as const;

export type FileCounter = (typeof COUNTERS)[number];
type FileTiming = (typeof TIMINGS)[number];

/** What became of the files so far, and where the time went. */
export class FileMetrics {
  readonly name = 'File metrics';
  readonly counters = zeroes(COUNTERS);
  /** Milliseconds, added up. Calls that overlap count each. */
  readonly timings = zeroes(TIMINGS);

  count(counter: FileCounter, by = 1): void {
    this.counters[counter] += by;
  }

  /** Counts the time from `start`, a value of `performance.now()`, until now. */
  time(timing: FileTiming, start: number): void {
    this.timings[timing] += performance.now() - start;
  }
}

function zeroes<Name extends string>(names: readonly Name[]): Record<Name, number> {
  return Object.fromEntries(names.map((name) => [name, 0])) as Record<Name, number>;
}
