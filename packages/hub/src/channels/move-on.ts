import type { Kysely } from 'kysely';
import type { HubTables } from '../hub-tables.ts';
import type { ChatRow } from './people/chat-store.ts';

/**
 * Notes that what began before a number is in a chat for good, and need not be looked at again. False where the chat has
 * been changed meanwhile.
 */
export async function moveOn(db: Kysely<HubTables>, chat: ChatRow, nextSeq: number): Promise<boolean> {
  if (nextSeq <= chat.from_seq) return true;
  const { numUpdatedRows } = await db
    .updateTable('hub_chats')
    .set({ from_seq: nextSeq })
    .where('channel', '=', chat.channel)
    .where('chat_id', '=', chat.chat_id)
    .where('session_id', '=', chat.session_id)
    .where('from_seq', '=', chat.from_seq)
    .executeTakeFirst();
  if (numUpdatedRows === 0n) return false;
  chat.from_seq = nextSeq;
  return true;
}
