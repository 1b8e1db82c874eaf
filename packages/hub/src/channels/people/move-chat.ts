import { randomUUID } from 'node:crypto';
import type { Kysely } from 'kysely';
import type { HubTables } from '../../hub-tables.ts';
import type { Note } from '../note.ts';
import type { ChatPlace } from '../post-store.ts';
import { chatsOfGroup, type ChatRow, findChat } from './chat-store.ts';

type Db = Kysely<HubTables>;

/** What a chat was called, and what it is called from now on. */
export interface MovedChat {
  from: string;
  to: string;
}

/**
 * A chat has another id from now on, and its topics with it: it stays allowed, keeps its session, and what was to be said
 * in it is said there.
 *
 * Messages of before cannot be changed any more, and their numbers are those of others in the new chat, so they are
 * forgotten: what was finished stays as it was, what was not is sent anew. May be repeated: what has come to the old id
 * since then is moved as well.
 */
export function moveChat(db: Db, { channel, chatId }: ChatPlace, to: string, now = Date.now()): Promise<MovedChat[]> {
  return db.transaction().execute(async (transaction) => {
    const known = new Set([chatId, ...(await chatsOfGroup(transaction, { channel, chatId }))]);
    const moved = [...known].map((from) => ({ from, to: `${to}${from.slice(chatId.length)}` }));
    for (const each of moved) {
      await moveRow(transaction, channel, each, now);
      await movePosts(transaction, channel, each, now);
      await movePrompts(transaction, channel, each);
    }
    return moved;
  });
}

/** Something may have been heard in the new chat before anybody knew that it is the old one; what an admin said there counts. */
async function moveRow(db: Db, channel: string, { from, to }: MovedChat, now: number): Promise<void> {
  const [old, fresh] = [await findChat(db, { channel, chatId: from }), await findChat(db, { channel, chatId: to })];
  if (old === undefined) return;
  const allowed = old.state === 'closed' ? 'open' : old.state;
  const changed: Partial<ChatRow> =
    fresh === undefined
      ? { state: allowed, problem: null }
      : {
          title: fresh.title ?? old.title,
          state: fresh.state === 'asked' ? allowed : fresh.state,
          problem: fresh.problem,
          ...(fresh.session_id !== null && { session_id: fresh.session_id, from_seq: fresh.from_seq }),
        };
  await db.deleteFrom('hub_chats').where('channel', '=', channel).where('chat_id', '=', to).execute();
  await db
    .updateTable('hub_chats')
    .set({ ...changed, chat_id: to, updated_at: now })
    .where('channel', '=', channel)
    .where('chat_id', '=', from)
    .execute();
}

async function movePosts(db: Db, channel: string, { from, to }: MovedChat, now: number): Promise<void> {
  // What has been begun in the new chat already is not said twice.
  await db
    .deleteFrom('hub_chat_posts as old')
    .where('old.channel', '=', channel)
    .where('old.chat_id', '=', from)
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('hub_chat_posts as fresh')
          .select('fresh.id')
          .where('fresh.channel', '=', channel)
          .where('fresh.chat_id', '=', to)
          .whereRef('fresh.session_id', '=', 'old.session_id')
          .whereRef('fresh.key', '=', 'old.key'),
      ),
    )
    .execute();
  const posts = () => db.updateTable('hub_chat_posts').where('channel', '=', channel).where('chat_id', '=', from);
  const forgotten = { chat_id: to, receipt_json: null, message_id: null, updated_at: now };
  const rows = await db
    .selectFrom('hub_chat_posts')
    .select(['id', 'note_json'])
    .where('channel', '=', channel)
    .where('chat_id', '=', from)
    .where('state', 'in', ['wanted', 'sending', 'shown'])
    .execute();
  for (const { id, note_json } of rows)
    await posts()
      .set({
        ...forgotten,
        state: 'wanted',
        nonce: randomUUID(),
        hint_json: null,
        fingerprint: null,
        note_json: note_json === null ? null : withoutReply(note_json),
      })
      .where('id', '=', id)
      .execute();
  await posts().set(forgotten).execute();
}

function withoutReply(noteJson: string): string {
  const { replyTo: _, ...note } = JSON.parse(noteJson) as Note;
  return JSON.stringify(note);
}

/** The chat need not be told again what was said in it; but there is no message any more that could be answered. */
async function movePrompts(db: Db, channel: string, { from, to }: MovedChat): Promise<void> {
  const rows = await db
    .deleteFrom('hub_chat_prompts')
    .where('channel', '=', channel)
    .where('chat_id', '=', from)
    .returningAll()
    .execute();
  for (const row of rows)
    await db
      .insertInto('hub_chat_prompts')
      .values({ ...row, chat_id: to, message_id: '' })
      .onConflict((conflict) => conflict.columns(['channel', 'chat_id', 'prompt_id']).doNothing())
      .execute();
}
