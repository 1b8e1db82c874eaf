import type { HubEvent, LoggedHubEvent } from '@dragoman/protocol';
import type { StoreEngine } from '@dragoman/server/base';
import { CompiledQuery, type Kysely, sql } from 'kysely';
import type { HubTables } from '../hub-tables.ts';

type EventRow = Pick<HubTables['hub_events'], 'seq' | 'at' | 'event'>;

/** A page of a log. */
export interface LogPage {
  events: LoggedHubEvent[];
  /** Nothing was stored behind it when it was read. */
  isLast: boolean;
}

/** What a page has at most, unless a single event has more. */
export const PAGE_BYTES = 256_000;

type PageRow = EventRow & { candidates: number | string };

/** Sizes are looked at first, which costs little: the rows themselves are only read as far as they fit. */
const pageQuery = (session: string, after: string, limit: string, bytes: string, only = '') =>
  `with sizes as materialized (
    select seq, sum(size) over (order by seq) as bytes, row_number() over (order by seq) as place from
      (select seq, octet_length(event) as size from hub_events where session_id = ${session} and seq > ${after} ${only} order by seq limit ${limit}) as few
  )
  select seq, at, event, (select count(*) from sizes) as candidates from hub_events
  where session_id = ${session} and seq > ${after} ${only} and seq <= (select max(seq) from sizes where bytes <= ${bytes} or place = 1)
  order by seq`;
const PIECES_NO_MORE = 'and piece in (0, 3)';
const READ_PAGE: Record<StoreEngine, { all: string; ended: string }> = {
  sqlite: {
    all: pageQuery('?1', '?2', '?3', '?4'),
    ended: pageQuery('?1', '?2', '?3', '?4', PIECES_NO_MORE),
  },
  postgres: {
    all: pageQuery('$1', '$2', '$3', '$4'),
    ended: pageQuery('$1', '$2', '$3', '$4', PIECES_NO_MORE),
  },
};

/**
 * Events of a session after a number, the oldest first, and no more at once than a reader can be handed: whoever reads
 * slowly holds one page, and not what follows. `ended` leaves out the pieces of blocks that are being written.
 */
export async function readPage(
  { db, engine }: { db: Kysely<HubTables>; engine: StoreEngine },
  sessionId: string,
  { after, limit, which = 'all' }: { after: number; limit: number; which?: 'all' | 'ended' },
): Promise<LogPage> {
  const { rows } = await db.executeQuery<PageRow>(
    CompiledQuery.raw(READ_PAGE[engine][which], [sessionId, after, limit, PAGE_BYTES]),
  );
  const candidates = Number(rows[0]?.candidates ?? 0);
  return { events: rows.map(toLogged), isLast: rows.length === candidates && candidates < limit };
}

/** The last events of a session, the oldest of them first, as many as fit into a page. */
export async function readLast(
  place: { db: Kysely<HubTables>; engine: StoreEngine },
  sessionId: string,
  count: number,
): Promise<LoggedHubEvent[]> {
  const sizes = await place.db
    .selectFrom('hub_events')
    .select(['seq', sql<number>`octet_length(event)`.as('size')])
    .where('session_id', '=', sessionId)
    .orderBy('seq', 'desc')
    .limit(count)
    .execute();
  let [from, bytes] = [sizes[0]?.seq ?? 1, 0];
  for (const { seq, size } of sizes) {
    bytes += Number(size);
    if (bytes > PAGE_BYTES) break;
    from = seq;
  }
  return (await readPage(place, sessionId, { after: from - 1, limit: count })).events;
}

/** The text of events as they are stored. Readers that only pass events on never look into them. */
const stored = new WeakMap<LoggedHubEvent, string>();

function toLogged({ seq, at, event: text }: EventRow): LoggedHubEvent {
  let event: HubEvent | undefined;
  const logged: LoggedHubEvent = {
    seq,
    at,
    get event() {
      return (event ??= JSON.parse(text) as HubEvent);
    },
  };
  stored.set(logged, text);
  return logged;
}

/** The stored text of an event that was read from the store and not changed since. */
export function storedText(logged: LoggedHubEvent): string | undefined {
  return stored.get(logged);
}

/** The same event under another number. */
export function renumbered(logged: LoggedHubEvent, seq: number): LoggedHubEvent {
  const copy: LoggedHubEvent = {
    seq,
    at: logged.at,
    get event() {
      return logged.event;
    },
  };
  const text = stored.get(logged);
  if (text !== undefined) stored.set(copy, text);
  return copy;
}

/** A list of events as JSON; those that come from the store are as they stand there. */
export function eventsToJson(events: readonly LoggedHubEvent[]): string {
  const texts = events.map((logged) => {
    const text = storedText(logged);
    return text === undefined ? JSON.stringify(logged) : `{"seq":${logged.seq},"at":${logged.at},"event":${text}}`;
  });
  return `[${texts.join(',')}]`;
}
