import type { SegmentRow } from '../segment/segment-store.ts';

/** Sizes of one kind: every edit makes a small segment, and a question asks each of them. */
const TIERS = [1 << 20, 8 << 20, 64 << 20];
const MOST_OF_A_TIER = 8;

/** The segments that should become one: a tier that has too many, the smallest tier first. */
export function chooseMerge(segments: readonly SegmentRow[]): SegmentRow[] {
  let least = 0;
  for (const most of TIERS) {
    const tier = segments.filter(({ bytes }) => bytes >= least && bytes < most);
    if (tier.length >= MOST_OF_A_TIER) return segments.filter(({ bytes }) => bytes < most);
    least = most;
  }
  return [];
}
