import type { SegmentRow } from '../segment/segment-store.ts';

/** Sizes of one kind: every edit makes a small segment, and a question asks each of them. */
const TIERS = [
  { bytes: 1 << 20, most: 8 },
  { bytes: 16 << 20, most: 16 },
  { bytes: 64 << 20, most: 16 },
];

/**
 * The segments that should become one: a tier that has too many, the smallest tier first. Those without vectors stay among
 * themselves, so that it is known what lacks them, and small, so that they are soon made.
 */
export function chooseMerge(segments: readonly SegmentRow[], without: ReadonlySet<string> = new Set()): SegmentRow[] {
  const isSmall = ({ bytes }: SegmentRow) => bytes < TIERS[0]!.bytes;
  const chosen = chooseTier(segments.filter(({ id }) => !without.has(id)));
  return chosen.length > 0 ? chosen : chooseTier(segments.filter((row) => without.has(row.id) && isSmall(row)));
}

function chooseTier(segments: readonly SegmentRow[]): SegmentRow[] {
  let least = 0;
  for (const { bytes: limit, most } of TIERS) {
    const tier = segments.filter(({ bytes }) => bytes >= least && bytes < limit);
    if (tier.length >= most) return segments.filter(({ bytes }) => bytes < limit);
    least = limit;
  }
  return [];
}
