import type { SegmentRow } from '../segment/segment-store.ts';

/** Sizes of one kind: every edit makes a small segment, and a question asks each of them. */
const TIERS = [
  { bytes: 1 << 20, most: 8 },
  { bytes: 16 << 20, most: 16 },
  { bytes: 64 << 20, most: 16 },
];

/** The segments that should become one: a tier that has too many, the smallest tier first. */
export function chooseMerge(segments: readonly SegmentRow[]): SegmentRow[] {
  let least = 0;
  for (const { bytes: limit, most } of TIERS) {
    const tier = segments.filter(({ bytes }) => bytes >= least && bytes < limit);
    if (tier.length >= most) return segments.filter(({ bytes }) => bytes < limit);
    least = limit;
  }
  return [];
}
