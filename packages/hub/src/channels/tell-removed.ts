import type { HubParts } from '../hub-parts.ts';
import type { SessionChange } from '../log/session-change.ts';
import { removedNotice } from './notice-text.ts';
import { addNote } from './post-store.ts';

/**
 * Tells the chats that show a session that it is being deleted, and by whom, in the transaction that deletes it: what is
 * written there next begins another one.
 */
export async function tellRemoved(
  { channels, now }: Pick<HubParts, 'channels' | 'now'>,
  change: SessionChange,
  byName: string,
): Promise<void> {
  if (channels === undefined || !channels.isAnyOn) return;
  const { db, session } = change;
  const chats = await db
    .selectFrom('hub_chats')
    .select(['channel', 'chat_id', 'language'])
    .where('session_id', '=', session.id)
    .where('state', '=', 'open')
    .execute();
  for (const { channel, chat_id: chatId, language } of chats) {
    await addNote(db, { channel, chatId }, removedNotice(language, session.title, byName), now());
    change.afterCommit(() => channels.wake(channel, chatId));
  }
}
