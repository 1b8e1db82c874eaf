import type { Kysely } from 'kysely';
import type { HubTables } from '../../hub-tables.ts';
import type { Language } from '../channel.ts';
import type { ChatPlace } from '../post-store.ts';

type Db = Kysely<HubTables>;

/** A chat as it is stored. */
export type ChatRow = HubTables['hub_chats'];

/** A chat as a platform tells of it. */
export interface ToldChat extends ChatPlace {
  kind: ChatRow['kind'];
  title: string | undefined;
  /** With whom it is, where it is private. */
  accountId: string | undefined;
  /** What its people are spoken to in, where nobody said yet. */
  language: Language;
}

/** The chat, if the bot ever was in it. */
export async function findChat(db: Db, { channel, chatId }: ChatPlace): Promise<ChatRow | undefined> {
  return db
    .selectFrom('hub_chats')
    .selectAll()
    .where('channel', '=', channel)
    .where('chat_id', '=', chatId)
    .executeTakeFirst();
}

/**
 * The chat in which something happened, from now on known. Who writes can be written to, so one that was closed is open
 * again; only what was open is ever closed, so nothing is allowed by that.
 */
export async function openChat(db: Db, told: ToldChat, now = Date.now()): Promise<ChatRow> {
  const found = await findChat(db, told);
  if (found !== undefined) {
    // With one person it stays, whatever else is told of it; then nobody needs to allow it.
    const kind = found.kind === 'private' ? found.kind : told.kind;
    const changed = {
      kind,
      title: told.title ?? found.title,
      account_id: kind === 'private' ? (found.account_id ?? told.accountId ?? null) : null,
      state: kind === 'private' || found.state === 'closed' ? ('open' as const) : found.state,
      problem: null,
    };
    const isSame = (Object.keys(changed) as (keyof typeof changed)[]).every((key) => changed[key] === found[key]);
    if (isSame) return found;
    await updateChat(db, told, changed, now);
    return { ...found, ...changed, updated_at: now };
  }
  const { channel, chatId, kind, title, accountId, language } = told;
  await db
    .insertInto('hub_chats')
    .values({
      channel,
      chat_id: chatId,
      kind,
      account_id: kind === 'private' ? (accountId ?? null) : null,
      title: title ?? null,
      language,
      state: kind === 'private' ? 'open' : await stateOfGroup(db, told),
      problem: null,
      session_id: null,
      from_seq: 0,
      is_muted: 0,
      created_at: now,
      updated_at: now,
    })
    .onConflict((conflict) => conflict.columns(['channel', 'chat_id']).doNothing())
    .execute();
  return (await findChat(db, told))!;
}

/** The group that a topic is in. Channels write a topic as its chat, a `/`, and what is its own. */
export function groupOf(chatId: string): string {
  return chatId.split('/', 1)[0]!;
}

/** A group and its topics, as far as the bot ever was in them. */
export async function chatsOfGroup(db: Db, { channel, chatId }: ChatPlace): Promise<string[]> {
  const rows = await db
    .selectFrom('hub_chats')
    .select('chat_id')
    .where('channel', '=', channel)
    .where((row) => row.or([row('chat_id', '=', chatId), row('chat_id', 'like', `${chatId}/%`)]))
    .execute();
  // What stands for any character in a pattern may be part of an id.
  return rows.flatMap(({ chat_id: id }) => (id === chatId || groupOf(id) === chatId ? [id] : []));
}

/** What an admin said of a group counts for its topics. */
async function stateOfGroup(db: Db, { channel, chatId }: ChatPlace): Promise<ChatRow['state']> {
  const group = await findChat(db, { channel, chatId: groupOf(chatId) });
  if (group === undefined) return 'asked';
  return group.state === 'closed' ? 'open' : group.state;
}

/** Shows a session in a chat from a number on; prompts go to it. Nothing where no session is named. */
export async function setSession(
  db: Db,
  place: ChatPlace,
  { sessionId, fromSeq }: { sessionId: string | null; fromSeq: number },
  now = Date.now(),
): Promise<void> {
  await updateChat(db, place, { session_id: sessionId, from_seq: fromSeq }, now);
}

/** Notes that nothing can be written in a chat, and why. A group that nobody allowed stays as it is. */
export async function closeChat(
  db: Db,
  { channel, chatId }: ChatPlace,
  problem: string,
  now = Date.now(),
): Promise<void> {
  await db
    .updateTable('hub_chats')
    .set((row) => ({
      state: row.case().when('state', '=', 'open').then('closed').else(row.ref('state')).end() as never,
      problem,
      updated_at: now,
    }))
    .where('channel', '=', channel)
    .where('chat_id', '=', chatId)
    .execute();
}

/** Says only what was asked for in a chat, or everything again. */
export async function setMuted(db: Db, place: ChatPlace, isMuted: boolean, now = Date.now()): Promise<void> {
  await updateChat(db, place, { is_muted: Number(isMuted) }, now);
}

/** Speaks another language in a chat. */
export async function setLanguage(db: Db, place: ChatPlace, language: Language, now = Date.now()): Promise<void> {
  await updateChat(db, place, { language }, now);
}

/** Shows nothing more in the private chats with an account. */
export async function clearPrivateChats(
  db: Db,
  { channel, accountId }: { channel: string; accountId: string },
  now = Date.now(),
): Promise<void> {
  await db
    .updateTable('hub_chats')
    .set({ session_id: null, from_seq: 0, updated_at: now })
    .where('channel', '=', channel)
    .where('kind', '=', 'private')
    .where('account_id', '=', accountId)
    .execute();
}

/** Allows a group with all its topics, or refuses it. */
export async function allowGroup(db: Db, place: ChatPlace, isAllowed: boolean, now = Date.now()): Promise<void> {
  const changed = { state: isAllowed ? ('open' as const) : ('refused' as const), problem: null };
  for (const chatId of await chatsOfGroup(db, place)) await updateChat(db, { ...place, chatId }, changed, now);
}

/** A chat with what it shows. */
export type ListedChat = ChatRow & { session_title: string | null };

const MOST_LISTED = 200;

/** The chats of a channel with what they show: first what waits for an admin, then the latest, and no more than 200. */
export async function listChats(db: Db, channel: string): Promise<ListedChat[]> {
  return (
    selectListed(db, channel)
      // A group is asked about once, and not for each of its topics.
      .where((row) => row.or([row('hub_chats.state', '=', 'open'), row('hub_chats.chat_id', 'not like', '%/%')]))
      .orderBy((row) => row.case().when('hub_chats.state', '=', 'asked').then(0).else(1).end())
      .orderBy('hub_chats.updated_at', 'desc')
      .orderBy('hub_chats.chat_id')
      .limit(MOST_LISTED)
      .execute()
  );
}

/** One of them. */
export async function findListed(db: Db, { channel, chatId }: ChatPlace): Promise<ListedChat | undefined> {
  return selectListed(db, channel).where('hub_chats.chat_id', '=', chatId).executeTakeFirst();
}

function selectListed(db: Db, channel: string) {
  return db
    .selectFrom('hub_chats')
    .leftJoin('hub_sessions', 'hub_sessions.id', 'hub_chats.session_id')
    .selectAll('hub_chats')
    .select('hub_sessions.title as session_title')
    .where('channel', '=', channel);
}

/** Notes which message was which prompt; the chat need not be told again what was said in it. */
export async function noteOwnPrompt(
  db: Db,
  { channel, chatId }: ChatPlace,
  { sessionId, promptId, messageId }: { sessionId: string; promptId: string; messageId: string },
): Promise<void> {
  await db
    .insertInto('hub_chat_prompts')
    .values({ channel, chat_id: chatId, session_id: sessionId, prompt_id: promptId, message_id: messageId })
    .onConflict((conflict) => conflict.columns(['channel', 'chat_id', 'prompt_id']).doNothing())
    .execute();
}

async function updateChat(
  db: Db,
  { channel, chatId }: ChatPlace,
  changed: Partial<ChatRow>,
  now: number,
): Promise<void> {
  await db
    .updateTable('hub_chats')
    .set({ ...changed, updated_at: now })
    .where('channel', '=', channel)
    .where('chat_id', '=', chatId)
    .execute();
}
