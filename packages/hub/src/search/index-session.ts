import type { StoreEngine } from '@dragoman/server/base';
import { CompiledQuery, type Kysely, type Transaction } from 'kysely';
import type { HubTables } from '../hub-tables.ts';
import { readPage } from '../log/read-events.ts';
import { isTakenOut, readTakenOut } from '../log/taken-out.ts';
import { type Said, saidIn } from './said-in.ts';
import type { SearchTables } from './search-tables.ts';
import { indexedWords } from './split-words.ts';
import { textParts } from './text-parts.ts';
import { transactLightly } from './transact-lightly.ts';

type Tables = HubTables & SearchTables;

/** One step takes so many events at most. */
const SLICE_EVENTS = 200;
/** A place to index in, and what it is. */
export interface IndexPlace {
  db: Kysely<Tables>;
  engine: StoreEngine;
}

/** How far a step came: there is more to do, it is done, or somebody else is at work on the session. */
export type Step = 'more' | 'done' | 'busy';

/**
 * Brings the search of one session a step further. With `isPatient` it waits for whoever writes the session or indexes it.
 *
 * What is there of the same events already is replaced, so a step may be done twice, and events may be asked for again
 * that stand under a number that was passed.
 */
export async function indexSession(place: IndexPlace, sessionId: string, isPatient: boolean): Promise<Step> {
  const { engine } = place;
  return transactLightly(place, async (transaction) => {
    const query = transaction
      .selectFrom('hub_sessions')
      .select(['seq', 'indexed_seq', 'title', 'created_at'])
      .where('id', '=', sessionId);
    const locked = isPatient ? query.forUpdate() : query.forUpdate().skipLocked();
    const session = await (engine === 'postgres' ? locked : query).executeTakeFirst();
    if (session === undefined) return isPatient ? 'done' : 'busy';
    if (session.indexed_seq >= session.seq) return 'done';
    const { through, texts } = await readSlice({ db: transaction, engine }, sessionId, session.indexed_seq);
    const reached = through ?? session.seq;
    await forget(transaction, sessionId, { from: session.indexed_seq, through: reached, texts });
    const title: Row = { seq: 0, at: session.created_at, text: session.title, kind: 'title', role: 'session' };
    await insert({ db: transaction, engine }, sessionId, [title, ...texts]);
    await transaction.updateTable('hub_sessions').set({ indexed_seq: reached }).where('id', '=', sessionId).execute();
    return reached < session.seq ? 'more' : 'done';
  });
}

interface Row extends Said {
  seq: number;
  at: number;
}

/** The next events, and up to which number that is; nothing where it is all there are. */
async function readSlice(
  place: IndexPlace,
  sessionId: string,
  after: number,
): Promise<{ through: number | undefined; texts: Row[] }> {
  const { events, isLast } = await readPage(place, sessionId, { after, limit: SLICE_EVENTS, which: 'ended' });
  const takenOut = await readTakenOut(place.db, sessionId);
  const texts = events.flatMap((logged): Row[] => {
    const said = isTakenOut(takenOut, logged) ? undefined : saidIn(logged.event);
    return said === undefined ? [] : [{ seq: logged.seq, at: logged.at, ...said }];
  });
  return { through: isLast ? undefined : events.at(-1)?.seq, texts };
}

/** What stood at these numbers, what these blocks said before, and the title as it was. */
async function forget(
  db: Transaction<Tables>,
  sessionId: string,
  { from, through, texts }: { from: number; through: number; texts: readonly Row[] },
): Promise<void> {
  const ofSession = db.deleteFrom('hub_search').where('session_id', '=', sessionId);
  await ofSession.where('seq', '=', 0).execute();
  await ofSession.where('seq', '>', from).where('seq', '<=', through).execute();
  const blockIds = texts.flatMap(({ blockId }) => (blockId === undefined ? [] : [storable(blockId)]));
  if (blockIds.length > 0) await ofSession.where('block_id', 'in', blockIds).execute();
}

type SearchRow = SearchTables['hub_search'];
const COLUMNS = ['id', 'seq', 'block_id', 'kind', 'role', 'at', 'words'] as const satisfies (keyof SearchRow)[];

async function insert({ db, engine }: IndexPlace, sessionId: string, texts: readonly Row[]): Promise<void> {
  const rows: Pick<SearchRow, (typeof COLUMNS)[number]>[] = [];
  for (const { seq, at, text, kind, role, blockId } of texts) {
    const block_id = blockId === undefined ? null : storable(blockId);
    for (const part of textParts(text)) {
      const words = indexedWords(part.text);
      if (words !== '') rows.push({ id: nextRowId(), seq, block_id, kind, role, at, words });
    }
  }
  const values =
    engine === 'sqlite'
      ? [JSON.stringify(rows.map((row) => COLUMNS.map((column) => row[column])))]
      : COLUMNS.map((column) => rows.map((row) => row[column]));
  await db.executeQuery(CompiledQuery.raw(INSERT[engine], [sessionId, ...values]));
}

const INTO = `insert into hub_search (session_id, ${COLUMNS.join(', ')}) select`;
const INSERT: Record<StoreEngine, string> = {
  sqlite: `${INTO} ?, ${COLUMNS.map((_, index) => `value ->> ${index}`).join(', ')} from json_each(?)`,
  postgres: `${INTO} $1, * from unnest($2::bigint[], $3::bigint[], $4::text[], $5::text[], $6::text[], $7::bigint[], $8::text[])`,
};

let lastRowId = 0;

/** Milliseconds, with room for what happens within one, in this process and in others. */
function nextRowId(): number {
  lastRowId = Math.max(lastRowId + 1, Date.now() * 2048 + Math.floor(Math.random() * 1024));
  return lastRowId;
}

function storable(text: string): string {
  return text.replaceAll('\0', '\uFFFD');
}
