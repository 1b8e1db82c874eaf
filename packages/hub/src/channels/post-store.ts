import { createHash, randomUUID } from 'node:crypto';
import { newId } from '@dragoman/protocol';
import type { Kysely } from 'kysely';
import type { HubTables } from '../hub-tables.ts';
import type { Action } from './action.ts';
import type { Note } from './note.ts';
import { replaceNote, topicKey } from './replace-note.ts';

/** Where something is said. */
export interface ChatPlace {
  channel: string;
  chatId: string;
}

/** A post of ours that somebody pressed a button of, or answered to. */
export interface FoundPost {
  id: string;
  chatId: string;
  /** Absent for notes of the program. */
  sessionId: string | undefined;
  /** `part …`, `file …`, `approval <id>` or `note …`. */
  key: string;
}

/**
 * Keeps what is to be said in a chat, in the caller's transaction where there is one. It is said by the process that works
 * for the channel; wake it after the commit.
 */
export async function addNote(db: Kysely<HubTables>, place: ChatPlace, note: Note, now: number): Promise<string> {
  const id = newId('pst');
  if (note.topic !== undefined) {
    const replaced = await replaceNote(db, place, { ...note, topic: note.topic }, now);
    if (replaced !== undefined) return replaced;
  }
  const key = note.topic === undefined ? `note ${id}` : topicKey(note.topic);
  await db
    .insertInto('hub_chat_posts')
    .values({ ...newPost(place, now), id, session_id: null, key, note_json: JSON.stringify(note) })
    .execute();
  return id;
}

/** Asks for a post about an approval in a chat that shows another session. One that is there already stays as it is. */
export async function addApprovalPost(
  db: Kysely<HubTables>,
  place: ChatPlace,
  { sessionId, approvalId }: { sessionId: string; approvalId: string },
  now: number,
): Promise<void> {
  await db
    .insertInto('hub_chat_posts')
    .values({ ...newPost(place, now), id: newId('pst'), session_id: sessionId, key: `approval ${approvalId}` })
    .onConflict((conflict) => conflict.columns(['channel', 'chat_id', 'session_id', 'key']).doNothing())
    .execute();
}

/** What a button of a post carries: which post, which button, and a little of what it does, so that an old button never does something else. */
export function actionData(postId: string, index: number, action: Action): string {
  return `${postId}.${index}.${actionMark(action)}`;
}

const ACTION_DATA = /^(pst_[0-9a-z]{26})\.(\d{1,3})\.([0-9a-f]{4})$/;

/** The post that a button is or was of. */
export async function findPressed(
  db: Kysely<HubTables>,
  channel: string,
  data: string,
): Promise<FoundPost | undefined> {
  const id = ACTION_DATA.exec(data)?.[1];
  if (id === undefined) return undefined;
  const row = await db
    .selectFrom('hub_chat_posts')
    .select(['id', 'chat_id', 'session_id', 'key'])
    .where('id', '=', id)
    .where('channel', '=', channel)
    .executeTakeFirst();
  return row && toFound(row);
}

/** What a button does. Nothing where the post has changed since, or is not there. */
export async function findAction(
  db: Kysely<HubTables>,
  channel: string,
  data: string,
): Promise<{ action: Action; post: FoundPost } | undefined> {
  const [, id, index, mark] = ACTION_DATA.exec(data) ?? [];
  if (id === undefined) return undefined;
  const row = await db
    .selectFrom('hub_chat_posts')
    .select(['id', 'chat_id', 'session_id', 'key', 'actions_json'])
    .where('id', '=', id)
    .where('channel', '=', channel)
    .executeTakeFirst();
  if (row === undefined) return undefined;
  const action = (JSON.parse(row.actions_json) as Action[])[Number(index)];
  return action === undefined || actionMark(action) !== mark ? undefined : { action, post: toFound(row) };
}

/** The post of ours that a message is. */
export async function findPostByMessage(
  db: Kysely<HubTables>,
  channel: string,
  chatId: string,
  messageId: string,
): Promise<FoundPost | undefined> {
  const row = await db
    .selectFrom('hub_chat_posts')
    .select(['id', 'chat_id', 'session_id', 'key'])
    .where('channel', '=', channel)
    .where('chat_id', '=', chatId)
    .where('message_id', '=', messageId)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row && toFound(row);
}

/** A row of a post that was not tried yet. */
export function newPost({ channel, chatId }: ChatPlace, now: number) {
  return {
    channel,
    chat_id: chatId,
    state: 'wanted' as const,
    note_json: null,
    actions_json: '[]',
    nonce: randomUUID(),
    hint_json: null,
    receipt_json: null,
    message_id: null,
    fingerprint: null,
    problem: null,
    created_at: now,
    updated_at: now,
  };
}

function actionMark(action: Action): string {
  return createHash('sha256').update(JSON.stringify(action)).digest('hex').slice(0, 4);
}

type FoundRow = Pick<HubTables['hub_chat_posts'], 'id' | 'chat_id' | 'session_id' | 'key'>;

function toFound({ id, chat_id, session_id, key }: FoundRow): FoundPost {
  return { id, chatId: chat_id, sessionId: session_id ?? undefined, key };
}
