import type { BlobView } from '../../blob-view.ts';
import { RecentlyUsed } from '../checkpoints/recently-used.ts';
import type { SegmentRow, SegmentStore } from './segment-store.ts';

/** Names in memory, over all views: those of one user share their texts. */
const MAX_KEPT_NAMES = 500_000;
/** A view of which so few names are others than those of one that was asked about lately is that one after an edit. */
const FEW_NAMES = 1_000;
const SMALL_SHARE = 0.1;
/** Views that a new one is compared with. */
const LATEST = 8;

/** The segments that a question about a view needs. */
export interface SegmentsOfView {
  /** Newest first. */
  rows: SegmentRow[];
  /** Those of the view's names that are in no segment. */
  unplaced: string[];
  /** False where blobs were moved meanwhile to a segment that is not among those in force. */
  isCurrent: boolean;
}

interface PlacedView {
  blobNames: ReadonlySet<string>;
  /** The names by where they are; see `placeOf`. It may have more than the view's. */
  placed: ReadonlyMap<string, readonly string[]>;
  unplaced: readonly string[];
}

/**
 * Which segments hold the blobs of a view, so that a server fetches and opens these and not those of everybody. A blob stays
 * in its segment for as long as that is in force, so what was learned about a view is asked again for the names alone whose
 * segment was replaced, and for those that were added.
 */
export class ViewSegments {
  readonly #segments: Pick<SegmentStore, 'holdersOf'>;
  readonly #views = new RecentlyUsed<PlacedView>(MAX_KEPT_NAMES, ({ blobNames }) => blobNames.size + 1);

  constructor(segments: Pick<SegmentStore, 'holdersOf'>) {
    this.#segments = segments;
  }

  async of({ key, blobNames }: BlobView, inForce: readonly SegmentRow[]): Promise<SegmentsOfView> {
    const places = new Map(inForce.map((row) => [row.id, placeOf(row)]));
    const isInForce = new Set(places.values());
    const kept = this.#views.get(key);
    const before = kept ?? this.#nearest(blobNames);
    const asked = before === undefined ? [...blobNames] : before.unplaced.filter((name) => blobNames.has(name));
    const placed = new Map<string, string[]>();
    for (const [place, names] of before?.placed ?? []) {
      if (place === NOWHERE || isInForce.has(place)) placed.set(place, names as string[]);
      else for (const name of names) if (blobNames.has(name)) asked.push(name);
    }
    if (before !== undefined && before !== kept)
      for (const name of blobNames) if (!before.blobNames.has(name)) asked.push(name);

    const unplaced = new Set(asked);
    let isCurrent = true;
    for (const [segment, names] of asked.length === 0 ? [] : await this.#segments.holdersOf(asked)) {
      const place = isSegment(segment) ? places.get(segment) : NOWHERE;
      if (place === undefined) {
        isCurrent = false;
        continue;
      }
      placed.set(place, [...(placed.get(place) ?? []), ...names]);
      for (const name of names) unplaced.delete(name);
    }
    if (before !== kept || kept === undefined || asked.length > 0)
      this.#views.set(key, { blobNames, placed, unplaced: [...unplaced] });
    const rows = inForce.filter((row) => placed.has(placeOf(row)));
    return { rows, unplaced: [...unplaced], isCurrent };
  }

  /** What one looked like a moment ago. */
  #nearest(blobNames: ReadonlySet<string>): PlacedView | undefined {
    const few = Math.min(FEW_NAMES, blobNames.size * SMALL_SHARE);
    return this.#views.latest(LATEST).find((known) => {
      if (Math.abs(known.blobNames.size - blobNames.size) > few) return false;
      let added = 0;
      for (const name of blobNames) if (!known.blobNames.has(name) && ++added > few) return false;
      return known.blobNames.size - (blobNames.size - added) <= few;
    });
  }
}

/** Stands for where blobs are that nothing finds: they are in no segment and never will be. */
const NOWHERE = '';

/** Blobs leave a segment that stays in force only when it is noted that it has fewer. */
function placeOf({ id, files }: SegmentRow): string {
  return `${id} ${files}`;
}

function isSegment(holder: string): boolean {
  return holder.startsWith('seg_');
}
