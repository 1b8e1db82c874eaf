import { type ContentBlock, joinEvents, type LoggedHubEvent } from '@dragoman/protocol';
import { type BlockKey, type BlockRow, deleteBlocks, findBlocks, insertEvents } from './event-rows.ts';
import { foldOpenBlocks } from './fold-open-blocks.ts';
import { noteEvent } from './note-session.ts';
import type { NewEvent, SessionRow } from './session-change.ts';
import { type Place, storable } from './session-rows.ts';

/**
 * Gives events their numbers and stores them; the session's row is changed along, and is still to be written.
 *
 * Every event takes a number. Pieces of a block are joined before anything is written, and what is stored of a block is
 * removed when its end comes. What comes back is what was stored, for those who follow live.
 */
export async function storeEvents(
  place: Place,
  session: SessionRow,
  events: readonly NewEvent[],
): Promise<LoggedHubEvent[]> {
  const stored: LoggedHubEvent[] = [];
  for (let from = 0; from < events.length;) {
    const end = events.findIndex((next, index) => index >= from && endsWork(next));
    const part = events.slice(from, end === -1 ? undefined : end + 1);
    const [logged] = await storeParts(place, [{ session, events: part }]);
    for (const each of logged!) stored.push(each);
    if (end !== -1) await foldOpenBlocks(place, session);
    from += part.length;
  }
  return stored;
}

/** Nothing that is open now goes on. */
function endsWork({ event }: NewEvent): boolean {
  return (
    event.type === 'turn-finished' ||
    (event.type === 'agent-state' && (event.state === 'stopped' || event.state === 'failed'))
  );
}

/** Events of a session, none of which ends its work but the last. */
export interface SessionPart {
  session: SessionRow;
  events: readonly NewEvent[];
}

/** Stores parts of any number of sessions, each session once, with one statement of each kind for all of them. */
export async function storeParts(place: Place, parts: readonly SessionPart[]): Promise<LoggedHubEvent[][]> {
  const joined = parts.map(({ session, events }) => ({ session, events: joinEvents(numbered(session, events)) }));
  const known = await takeOut(place, joined.flatMap(endedBlocks));
  const logs = joined.map(({ session, events }) => ({
    sessionId: session.id,
    events: known.size === 0 ? events : events.map((logged) => inPlaceOf(known.get(keyOf(session.id, logged)), logged)),
  }));
  await insertEvents(place, logs);
  for (const [index, { session }] of parts.entries()) {
    for (const logged of logs[index]!.events)
      noteEvent(session, logged, earlierBlock(known.get(keyOf(session.id, logged))));
  }
  return logs.map(({ events }) => events);
}

function numbered({ seq }: SessionRow, events: readonly NewEvent[]): LoggedHubEvent[] {
  return events.map(({ at, event }, index) => ({ seq: seq + index + 1, at: Math.round(at), event }));
}

/** The blocks that end here and may be stored already. */
function endedBlocks({ session, events }: { session: SessionRow; events: readonly LoggedHubEvent[] }): BlockKey[] {
  if (session.seq === 0) return [];
  return events.flatMap(({ event }) =>
    event.type === 'block-stop' ? [{ sessionId: session.id, blockId: event.blockId }] : [],
  );
}

/** Removes what is stored of blocks, and gives it back by session and block. */
async function takeOut(place: Place, blocks: readonly BlockKey[]): Promise<Map<string, BlockRow[]>> {
  const rows = blocks.length === 0 ? [] : await findBlocks(place, blocks);
  const taken = Map.groupBy(rows, ({ sessionId, blockId }) => `${sessionId}\0${blockId}`);
  if (taken.size > 0)
    await deleteBlocks(
      place,
      [...taken.values()].map(([row]) => row!),
    );
  return taken;
}

/** Where what is stored of the block that ends here is found. */
function keyOf(sessionId: string, { event }: LoggedHubEvent): string {
  return event.type === 'block-stop' ? `${sessionId}\0${storable(event.blockId)}` : '';
}

/** The end of a block, at the place where it was opened. */
function inPlaceOf(rows: readonly BlockRow[] | undefined, ended: LoggedHubEvent): LoggedHubEvent {
  return rows === undefined ? ended : joinEvents([...rows, ended]).at(-1)!;
}

function earlierBlock(rows: readonly BlockRow[] | undefined): ContentBlock | undefined {
  const event = rows?.find((row) => row.piece === 0)?.event;
  return event?.type === 'block-stop' ? event.block : undefined;
}
