import type { Kysely } from 'kysely';
import type { HubTables } from '../hub-tables.ts';
import type { Note } from './note.ts';
import type { ChatPlace } from './post-store.ts';

/** A note that stands in the chat this long is too far up to be changed instead of said anew. */
const NEAR_MS = 60_000;

/** Under what the notes about something are kept. */
export function topicKey(topic: string): string {
  return `note ${topic}`;
}

/**
 * Says something else in the place of the last note about the same: of one that was not sent yet always, of one that can be
 * read while it is new and still true. Resolves with its id, or with nothing where there is none to change.
 *
 * Many messages at once would otherwise be answered with as many notes, each outdated by the next.
 */
export async function replaceNote(
  db: Kysely<HubTables>,
  { channel, chatId }: ChatPlace,
  note: Note & { topic: string },
  now: number,
): Promise<string | undefined> {
  const last = await db
    .selectFrom('hub_chat_posts')
    .select(['id', 'state', 'note_json', 'updated_at'])
    .where('channel', '=', channel)
    .where('chat_id', '=', chatId)
    .where('session_id', 'is', null)
    .where('key', '=', topicKey(note.topic))
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  if (last === undefined || last.state === 'failed') return undefined;
  const isThere = last.state !== 'wanted';
  if (isThere && (now - last.updated_at > NEAR_MS || !(await isStillTrue(db, JSON.parse(last.note_json!) as Note))))
    return undefined;
  const { numUpdatedRows } = await db
    .updateTable('hub_chat_posts')
    .set({ note_json: JSON.stringify(note), updated_at: now, ...(last.state === 'done' && { state: 'shown' }) })
    .where('id', '=', last.id)
    .where('state', '=', last.state)
    // A person deleted its message.
    .where((row) => row.or([row('state', '!=', 'done'), row('receipt_json', 'is not', null)]))
    .executeTakeFirst();
  return numUpdatedRows === 1n ? last.id : undefined;
}

/** Whether a note is still worth saying. */
export async function isStillTrue(db: Kysely<HubTables>, { untilTaken }: Note): Promise<boolean> {
  if (untilTaken === undefined) return true;
  const row = await db
    .selectFrom('hub_prompts')
    .select('state')
    .where('session_id', '=', untilTaken.sessionId)
    .where('id', '=', untilTaken.promptId)
    .executeTakeFirst();
  return row?.state === 'queued' || row?.state === 'sent';
}

/**
 * Notes that a note about something is there for good, unless it should say something else by now. False where it does.
 */
export async function settleNote(db: Kysely<HubTables>, id: string, note: Note): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('hub_chat_posts')
    .set({ state: 'done' })
    .where('id', '=', id)
    .where('state', '=', 'shown')
    .where('note_json', '=', JSON.stringify(note))
    .executeTakeFirst();
  return numUpdatedRows === 1n;
}

/** Forgets a note that was not sent, unless it should say something else by now. */
export async function dropNote(db: Kysely<HubTables>, id: string, note: Note): Promise<void> {
  await db
    .deleteFrom('hub_chat_posts')
    .where('id', '=', id)
    .where('state', '=', 'wanted')
    .where('note_json', '=', JSON.stringify(note))
    .execute();
}
