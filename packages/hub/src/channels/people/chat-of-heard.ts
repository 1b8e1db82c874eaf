import type { Kysely } from 'kysely';
import type { HubTables } from '../../hub-tables.ts';
import type { Heard } from '../heard.ts';
import { type ChatPlace, findPressed } from '../post-store.ts';
import type { BoundUser } from './bindings.ts';
import { type ChatRow, findChat, groupOf, openChat } from './chat-store.ts';
import type { Ears } from './talk.ts';

/**
 * The chat in which something happened, from now on known. Nothing where there is none that it could be about: a button of
 * another chat, or of none, and the end of a chat that nobody knew.
 *
 * What strangers do must not fill the store: a press makes and changes no chat, and in topics of a group that nobody
 * allowed, or where nobody knows who speaks, it is the group that hears.
 */
export async function chatOfHeard(
  { parts, channel }: Ears,
  heard: Exclude<Heard, { type: 'moved' | 'edited' }>,
  user: BoundUser | undefined,
): Promise<ChatRow | undefined> {
  const { db, now } = parts;
  const place = { channel: channel.name, chatId: heard.chat.chatId };
  if (heard.type === 'press') {
    const found = await findPressed(db, channel.name, heard.action);
    // A card that was forwarded is pressed in another chat than the one it was made for.
    return found?.chatId === place.chatId ? findChat(db, place) : undefined;
  }
  // Such as a group that has become another one.
  if (heard.type === 'left' && (await findChat(db, place)) === undefined) return undefined;
  const { kind, title = kind === 'private' ? heard.person.name : undefined } = heard.chat;
  const chatId = kind === 'private' || (await isOwnChat(db, place, user)) ? place.chatId : groupOf(place.chatId);
  const { accountId, language } = heard.person;
  return openChat(
    db,
    { channel: channel.name, chatId, kind, title, accountId, language: user?.language ?? language ?? 'en' },
    now(),
  );
}

/** A group, or a topic that is used or may be. */
async function isOwnChat(db: Kysely<HubTables>, place: ChatPlace, user: BoundUser | undefined): Promise<boolean> {
  const groupId = groupOf(place.chatId);
  if (groupId === place.chatId) return true;
  const isAllowed = (chat: ChatRow | undefined) => chat?.state === 'open' || chat?.state === 'closed';
  if (isAllowed(await findChat(db, place))) return true;
  return user !== undefined && isAllowed(await findChat(db, { ...place, chatId: groupId }));
}
