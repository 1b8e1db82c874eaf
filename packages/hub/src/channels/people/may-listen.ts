import type { AccessTables } from '@dragoman/server/base';
import type { Kysely } from 'kysely';
import type { HubTables } from '../../hub-tables.ts';
import type { ChatPlace } from '../post-store.ts';
import { withBoundRoles } from './bindings.ts';
import type { ChatRow } from './chat-store.ts';

/** A chat as it is now, and whether anything of a session may be said in it. */
export interface Listener {
  chat: ChatRow | undefined;
  mayListen: boolean;
}

/**
 * Looks up whether a chat may hear of sessions: a group that an admin allowed, or a private chat whose account belongs to a
 * user. People are removed and tokens revoked without a word to the chats, so this is asked again before everything that is
 * said.
 */
export async function readListener(
  db: Kysely<HubTables>,
  { channel, chatId }: ChatPlace,
  now = Date.now(),
): Promise<Listener> {
  const row = await db
    .withTables<Pick<AccessTables, 'users'>>()
    .selectFrom('hub_chats as chat')
    .leftJoin('hub_chat_bindings as binding', (join) =>
      join.onRef('binding.channel', '=', 'chat.channel').onRef('binding.account_id', '=', 'chat.account_id'),
    )
    .leftJoin('users', 'users.id', 'binding.user_id')
    .selectAll('chat')
    .select(['users.role', 'binding.made_by as madeBy'])
    .where('chat.channel', '=', channel)
    .where('chat.chat_id', '=', chatId)
    .executeTakeFirst();
  if (row === undefined) return { chat: undefined, mayListen: false };
  const { role, madeBy, ...chat } = row;
  const bound = role === null ? [] : await withBoundRoles(db, [{ role, madeBy }], now);
  // One that is closed was open before, and may be again.
  const isAllowed = chat.state === 'open' || chat.state === 'closed';
  return { chat, mayListen: isAllowed && (chat.kind === 'group' || bound.length > 0) };
}
