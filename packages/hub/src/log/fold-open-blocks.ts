import { joinEvents } from '@dragoman/protocol';
import { type BlockRow, deleteBlocks, findOpenBlocks, insertEvents, LEFT_OPEN } from './event-rows.ts';
import type { SessionRow } from './session-change.ts';
import type { Place } from './session-rows.ts';

/**
 * Puts everything that was said of a block in place of its pieces, for the blocks that a turn left open.
 *
 * It stands under the last of their numbers as a `block-start` that tells all: the block was never ended, and every
 * reader closes it when it hears that the turn is over. Nobody is told, as it is nothing new.
 */
export async function foldOpenBlocks(place: Place, session: SessionRow): Promise<void> {
  const rows = await findOpenBlocks(place, session.id);
  if (rows.length === 0) return;
  const blocks = Map.groupBy(rows, (row) => row.blockId);
  const folded = [...blocks.values()].flatMap(joinRows).toSorted((one, other) => one.seq - other.seq);
  await deleteBlocks(
    place,
    [...blocks.keys()].map((blockId) => ({ sessionId: session.id, blockId })),
  );
  await insertEvents(place, [{ sessionId: session.id, events: folded }], LEFT_OPEN);
  // They stand under numbers that may have been passed already by who reads for the search.
  session.indexed_seq = Math.min(session.indexed_seq, (folded[0]?.seq ?? Infinity) - 1);
}

/** What is said of a block after its end, or before its start, is passed over by every reader, and goes. */
function joinRows(rows: readonly BlockRow[]) {
  const joined = joinEvents(rows.map(({ seq, at, event }) => ({ seq, at, event })));
  const whole = joined.find(({ event }) => event.type === 'block-stop') ?? joined.at(-1)!;
  return whole.event.type === 'block-delta' ? [] : [whole];
}
