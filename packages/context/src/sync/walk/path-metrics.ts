import type { PathType } from '../filter/path-info.ts';
import type { ScanBatch } from './scan-folder.ts';

const COUNTER_OF = {
  Directory: 'directories emitted',
  File: 'files emitted',
  Other: 'other paths emitted',
} as const satisfies Record<PathType, string>;

/** What the scans of a folder met so far, and where their time went. */
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

  add({ met, timings }: Pick<ScanBatch, 'met' | 'timings'>): void {
    for (const type of ['Directory', 'File', 'Other'] as const) {
      this.counters[COUNTER_OF[type]] += met[type];
      this.counters['total paths emitted'] += met[type];
    }
    for (const timing of ['readDir', 'filter', 'yield', 'total'] as const) this.timings[timing] += timings[timing];
  }
}
