import type { HubEvent, LoggedHubEvent } from '@dragoman/protocol';
import type { StoreEngine } from '@dragoman/server/base';
import { CompiledQuery } from 'kysely';
import type { HubTables } from '../hub-tables.ts';
import { boundBlock, MOST_EVENT_CHARS } from './bound-block.ts';
import { storedText } from './read-events.ts';
import { type Place, storable } from './session-rows.ts';

type EventRow = HubTables['hub_events'];

const COLUMNS = ['session_id', 'seq', 'at', 'block_id', 'piece', 'event'] as const;
/** Rows go in by so many at once; few sizes, because each is a statement that is kept prepared. */
const CHUNKS = [64, 16, 4, 1];

/** Events of one session, under the numbers they have. */
export interface SessionEvents {
  sessionId: string;
  events: readonly LoggedHubEvent[];
}

/** A block of a session. */
export interface BlockKey {
  sessionId: string;
  blockId: string;
}

/** A stored event of a block, with the part it plays. */
export interface BlockRow extends BlockKey, LoggedHubEvent {
  piece: number;
}

/** Writes events of any number of sessions, together. */
export async function insertEvents(
  { db, engine }: Place,
  logs: readonly SessionEvents[],
  pieces: Pieces = WHILE_OPEN,
): Promise<void> {
  const rows = logs.flatMap(({ sessionId, events }) => events.map((logged) => toRow(sessionId, logged, pieces)));
  if (rows.length === 0) return;
  if (engine === 'postgres') {
    const columns = COLUMNS.map((column) => rows.map((row) => row[column]));
    await db.executeQuery(CompiledQuery.raw(POSTGRES_INSERT, columns));
    return;
  }
  for (let from = 0; from < rows.length;) {
    const size = CHUNKS.find((chunk) => chunk <= rows.length - from)!;
    const values = rows.slice(from, from + size).flatMap((row) => COLUMNS.map((column) => row[column]));
    await db.executeQuery(CompiledQuery.raw(SQLITE_INSERT.get(size)!, values));
    from += size;
  }
}

const INSERT = `insert into hub_events (${COLUMNS.join(', ')})`;
const POSTGRES_INSERT = `${INSERT} select * from unnest($1::text[], $2::bigint[], $3::bigint[], $4::text[], $5::bigint[], $6::text[])`;
const SQLITE_INSERT = new Map(
  CHUNKS.map((size) => [
    size,
    `${INSERT} values ${Array.from({ length: size }, () => '(?, ?, ?, ?, ?, ?)').join(', ')}`,
  ]),
);

/** Which of the events are pieces of blocks that have not ended; see the table. */
type Pieces = { readonly [Type in HubEvent['type']]?: number };
const WHILE_OPEN: Pieces = { 'block-start': 1, 'block-delta': 2 };
/** Blocks that were left open when their turn was over. */
export const LEFT_OPEN: Pieces = { 'block-start': 3, 'block-delta': 2 };

function toRow(sessionId: string, logged: LoggedHubEvent, pieces: Pieces): EventRow {
  const asStored = storedText(logged);
  let text = asStored ?? JSON.stringify(logged.event);
  if (asStored === undefined && text.length > MOST_EVENT_CHARS && 'blockId' in logged.event) {
    // Those who follow live are told what is stored.
    logged.event = boundBlock(logged.event);
    text = JSON.stringify(logged.event);
  }
  const { seq, at, event } = logged;
  return {
    session_id: sessionId,
    seq,
    at,
    block_id: 'blockId' in event ? storable(event.blockId) : null,
    piece: pieces[event.type] ?? 0,
    event: text,
  };
}

/** What is stored of some blocks, without what was added to them: where each was opened, and how it ended. */
export function findBlocks({ db, engine }: Place, blocks: readonly BlockKey[]): Promise<BlockRow[]> {
  return selectBlocks(db, FIND_BLOCKS[engine], keyList(engine, blocks));
}

/** Everything that is stored of the blocks of a session that are being written. */
export function findOpenBlocks({ db, engine }: Place, sessionId: string): Promise<BlockRow[]> {
  return selectBlocks(db, FIND_OPEN[engine], [sessionId]);
}

const BLOCKS = 'select session_id, seq, at, block_id, piece, event from hub_events';
const OPEN = 'select block_id from hub_events where piece in (1, 2) and session_id =';
// Which index to take is said, and the order is made here: asked for an order, SQLite reads the whole session in it.
const BY_BLOCK = 'indexed by hub_events_block where block_id is not null and';
const THESE: Record<StoreEngine, string> = {
  sqlite: '(session_id, block_id) in (select value ->> 0, value ->> 1 from json_each(?))',
  postgres: '(session_id, block_id) in (select * from unnest($1::text[], $2::text[]))',
};
const FIND_BLOCKS: Record<StoreEngine, string> = {
  sqlite: `${BLOCKS} ${BY_BLOCK} ${THESE.sqlite} and piece <> 2`,
  postgres: `${BLOCKS} where ${THESE.postgres} and piece <> 2`,
};
const FIND_OPEN: Record<StoreEngine, string> = {
  sqlite: `${BLOCKS} ${BY_BLOCK} session_id = ?1 and block_id in (${OPEN} ?1)`,
  postgres: `${BLOCKS} where session_id = $1 and block_id in (${OPEN} $1)`,
};

async function selectBlocks(db: Place['db'], statement: string, parameters: readonly unknown[]): Promise<BlockRow[]> {
  const { rows } = await db.executeQuery<EventRow>(CompiledQuery.raw(statement, [...parameters]));
  const blocks = rows.map(({ session_id, seq, at, block_id, piece, event }) => ({
    sessionId: session_id,
    seq,
    at,
    blockId: block_id!,
    piece,
    event: JSON.parse(event) as HubEvent,
  }));
  return blocks.sort((one, other) => one.seq - other.seq);
}

/** Removes everything that is stored of blocks. */
export async function deleteBlocks({ db, engine }: Place, blocks: readonly BlockKey[]): Promise<void> {
  await db.executeQuery(CompiledQuery.raw(DELETE_BLOCKS[engine], keyList(engine, blocks)));
}

const DELETE_BLOCKS: Record<StoreEngine, string> = {
  sqlite: `delete from hub_events ${BY_BLOCK} ${THESE.sqlite}`,
  postgres: `delete from hub_events where ${THESE.postgres}`,
};

function keyList(engine: StoreEngine, blocks: readonly BlockKey[]): unknown[] {
  const sessionIds = blocks.map(({ sessionId }) => sessionId);
  const blockIds = blocks.map(({ blockId }) => storable(blockId));
  if (engine === 'postgres') return [sessionIds, blockIds];
  return [JSON.stringify(sessionIds.map((sessionId, index) => [sessionId, blockIds[index]]))];
}
