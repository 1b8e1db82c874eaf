import { newId, type JsonValue } from '@dragoman/protocol';
import { type Kysely, sql } from 'kysely';
import type { HubTables } from '../hub-tables.ts';
import type { Action } from './action.ts';
import type { Receipt } from './channel.ts';
import type { Note } from './note.ts';
import { type ChatPlace, newPost } from './post-store.ts';

type Row = HubTables['hub_chat_posts'];

/** A post as the store has it, in the hands of the one process that delivers it. */
export interface StoredPost {
  readonly id: string;
  readonly sessionId: string | undefined;
  readonly key: string;
  readonly note: Note | undefined;
  state: Row['state'];
  /** As they are in the store. */
  actions: string;
  nonce: string;
  /** What the channel said before the first attempt of which nobody knows whether it arrived. */
  hint: JsonValue;
  isUncertain: boolean;
  receipt: Receipt | undefined;
  fingerprint: string | undefined;
  problem: string | undefined;
  /** Since when it says something else than it should, in turns of its desk. */
  waitsSince?: number | undefined;
  /** When this process wrote it last. */
  writtenAt?: number | undefined;
  /** It is only there for the moment, and was written long enough ago. */
  isDue?: boolean | undefined;
  /** It was asked to stay, because something follows it. */
  isPressed?: boolean | undefined;
}

/** The problem of a post that was sent once more because its message was not there; that happens once. */
export const GONE = 'A person deleted it.';

/** What of a post is not there for good yet. */
const UNFINISHED = ['wanted', 'sending', 'shown'] as const;

/** Posts of a chat that are not finished, the oldest first; without questions of other sessions than its own that were not asked yet. */
export async function readUnfinished(
  db: Kysely<HubTables>,
  { channel, chatId }: ChatPlace,
  current: string | undefined,
): Promise<StoredPost[]> {
  const rows = await db
    .selectFrom('hub_chat_posts')
    .selectAll()
    .where('channel', '=', channel)
    .where('chat_id', '=', chatId)
    .where('state', 'in', UNFINISHED)
    .where((row) =>
      row.or([
        row('state', '!=', 'wanted'),
        row('key', 'not like', 'approval %'),
        ...(current === undefined ? [] : [row('session_id', '=', current)]),
      ]),
    )
    .orderBy('id')
    .execute();
  return rows.map(toStored);
}

/** Questions of other sessions than the chat's own that were not asked in it yet: the oldest, and no more than so many. */
export async function readUnasked(
  db: Kysely<HubTables>,
  { channel, chatId }: ChatPlace,
  current: string | undefined,
  most: number,
): Promise<StoredPost[]> {
  const rows = await db
    .selectFrom('hub_chat_posts')
    .selectAll()
    .where('channel', '=', channel)
    .where('chat_id', '=', chatId)
    .where('state', '=', 'wanted')
    .where('key', 'like', 'approval %')
    .$if(current !== undefined, (query) => query.where('session_id', '!=', current!))
    .orderBy('id')
    .limit(most)
    .execute();
  return rows.map(toStored);
}

/** How many questions of sessions wait for an answer, of those that a chat is to be asked or was. */
export async function countWaiting(db: Kysely<HubTables>, { channel, chatId }: ChatPlace): Promise<number> {
  const { count } = await db
    .selectFrom('hub_chat_posts as post')
    .innerJoin('hub_approvals as approval', 'approval.session_id', 'post.session_id')
    .select(({ fn }) => fn.countAll().as('count'))
    .where('post.channel', '=', channel)
    .where('post.chat_id', '=', chatId)
    .where('post.state', 'in', UNFINISHED)
    .where('approval.state', '=', 'waiting')
    .where('post.key', '=', sql<string>`'approval ' || approval.id`)
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** Forgets the questions that a chat was to be asked, and was not. */
export async function dropUnasked(db: Kysely<HubTables>, { channel, chatId }: ChatPlace): Promise<void> {
  await db
    .deleteFrom('hub_chat_posts')
    .where('channel', '=', channel)
    .where('chat_id', '=', chatId)
    .where('state', '=', 'wanted')
    .where('key', 'like', 'approval %')
    .execute();
}

/** Every post of a session in a chat. */
export async function readPostsOf(
  db: Kysely<HubTables>,
  { channel, chatId }: ChatPlace,
  sessionId: string,
): Promise<StoredPost[]> {
  const rows = await db
    .selectFrom('hub_chat_posts')
    .selectAll()
    .where('channel', '=', channel)
    .where('chat_id', '=', chatId)
    .where('session_id', '=', sessionId)
    .orderBy('id')
    .execute();
  return rows.map(toStored);
}

/** The id of the newest post in a chat; an empty text where there is none. */
export async function newestPost(db: Kysely<HubTables>, { channel, chatId }: ChatPlace): Promise<string> {
  const row = await db
    .selectFrom('hub_chat_posts')
    .select(({ fn }) => fn.max('id').as('id'))
    .where('channel', '=', channel)
    .where('chat_id', '=', chatId)
    .executeTakeFirst();
  return row?.id ?? '';
}

/** Chats that have something unfinished. */
export async function unfinishedChats(db: Kysely<HubTables>, channel: string): Promise<string[]> {
  const rows = await db
    .selectFrom('hub_chat_posts')
    .select('chat_id')
    .distinct()
    .where('channel', '=', channel)
    .where('state', 'in', UNFINISHED)
    .execute();
  return rows.map(({ chat_id }) => chat_id);
}

/** Makes the row of a post of a session. Nothing where another process has made it meanwhile. */
export async function insertPost(
  db: Kysely<HubTables>,
  place: ChatPlace,
  { sessionId, key, actions, hint }: { sessionId: string; key: string; actions: readonly Action[]; hint: JsonValue },
  now: number,
): Promise<StoredPost | undefined> {
  const row = await db
    .insertInto('hub_chat_posts')
    .values({
      ...newPost(place, now),
      id: newId('pst'),
      session_id: sessionId,
      key,
      state: 'sending',
      actions_json: JSON.stringify(actions),
      hint_json: JSON.stringify(hint),
    })
    .onConflict((conflict) => conflict.columns(['channel', 'chat_id', 'session_id', 'key']).doNothing())
    .returningAll()
    .executeTakeFirst();
  // Nothing was tried with it yet.
  return row && { ...toStored(row), isUncertain: false };
}

/** Writes what changed of a post. False where the row is gone, or another process has worked on it. */
export async function savePost(
  db: Kysely<HubTables>,
  post: StoredPost,
  changes: Partial<
    Pick<StoredPost, 'state' | 'actions' | 'nonce' | 'hint' | 'receipt' | 'fingerprint' | 'problem' | 'isUncertain'>
  >,
  now: number,
): Promise<boolean> {
  const before = post.state;
  Object.assign(post, changes);
  const { numUpdatedRows } = await db
    .updateTable('hub_chat_posts')
    .set({
      state: post.state,
      actions_json: post.actions,
      nonce: post.nonce,
      hint_json: JSON.stringify(post.hint),
      receipt_json: post.receipt === undefined ? null : JSON.stringify(post.receipt),
      message_id: post.receipt?.messageId ?? null,
      fingerprint: post.fingerprint ?? null,
      problem: post.problem ?? null,
      updated_at: now,
    })
    .where('id', '=', post.id)
    .where('state', '=', before)
    .executeTakeFirst();
  return numUpdatedRows > 0n;
}

/** Forgets a post that never was in the chat, and is not wanted any more. */
export async function dropPost(db: Kysely<HubTables>, { id }: StoredPost): Promise<void> {
  await db.deleteFrom('hub_chat_posts').where('id', '=', id).execute();
}

function toStored(row: Row): StoredPost {
  return {
    id: row.id,
    sessionId: row.session_id ?? undefined,
    key: row.key,
    note: row.note_json === null ? undefined : (JSON.parse(row.note_json) as Note),
    state: row.state,
    actions: row.actions_json,
    nonce: row.nonce,
    hint: row.hint_json === null ? null : (JSON.parse(row.hint_json) as JsonValue),
    isUncertain: row.state === 'sending',
    receipt: row.receipt_json === null ? undefined : (JSON.parse(row.receipt_json) as Receipt),
    fingerprint: row.fingerprint ?? undefined,
    problem: row.problem ?? undefined,
  };
}
