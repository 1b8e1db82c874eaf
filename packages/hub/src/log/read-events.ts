import type { HubEvent, LoggedHubEvent } from '@dragoman/protocol';
import type { StoreEngine } from '@dragoman/server/base';
import { CompiledQuery, type Kysely } from 'kysely';
import type { HubTables } from '../hub-tables.ts';

type EventRow = Pick<HubTables['hub_events'], 'seq' | 'at' | 'event'>;

const READ: Record<StoreEngine, string> = {
  sqlite: 'select seq, at, event from hub_events where session_id = ? and seq > ? order by seq limit ?',
  postgres: 'select seq, at, event from hub_events where session_id = $1 and seq > $2 order by seq limit $3',
};

/** Events of a session after a number, the oldest first. Written out, because every reader asks it all day. */
export async function readEvents(
  { db, engine }: { db: Kysely<HubTables>; engine: StoreEngine },
  sessionId: string,
  { after, limit }: { after: number; limit: number },
): Promise<LoggedHubEvent[]> {
  const { rows } = await db.executeQuery<EventRow>(CompiledQuery.raw(READ[engine], [sessionId, after, limit]));
  return rows.map(toLogged);
}

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
const pageQuery = (session: string, after: string, limit: string, bytes: string) =>
  `with sizes as materialized (
    select seq, sum(size) over (order by seq) as bytes, row_number() over (order by seq) as place from
      (select seq, octet_length(event) as size from hub_events where session_id = ${session} and seq > ${after} order by seq limit ${limit}) as few
  )
  select seq, at, event, (select count(*) from sizes) as candidates from hub_events
  where session_id = ${session} and seq > ${after} and seq <= (select max(seq) from sizes where bytes <= ${bytes} or place = 1)
  order by seq`;
const READ_PAGE: Record<StoreEngine, string> = {
  sqlite: pageQuery('?1', '?2', '?3', '?4'),
  postgres: pageQuery('$1', '$2', '$3', '$4'),
};

/** The same, but no more at once than a reader can be handed: whoever reads slowly holds one page, and not what follows. */
export async function readPage(
  { db, engine }: { db: Kysely<HubTables>; engine: StoreEngine },
  sessionId: string,
  { after, limit }: { after: number; limit: number },
): Promise<LogPage> {
  const { rows } = await db.executeQuery<PageRow>(
    CompiledQuery.raw(READ_PAGE[engine], [sessionId, after, limit, PAGE_BYTES]),
  );
  const candidates = Number(rows[0]?.candidates ?? 0);
  return { events: rows.map(toLogged), isLast: rows.length === candidates && candidates < limit };
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

/** A list of events as JSON; those that come from the store are as they stand there. */
export function eventsToJson(events: readonly LoggedHubEvent[]): string {
  const texts = events.map((logged) => {
    const text = stored.get(logged);
    return text === undefined ? JSON.stringify(logged) : `{"seq":${logged.seq},"at":${logged.at},"event":${text}}`;
  });
  return `[${texts.join(',')}]`;
}
