import { DragomanError } from '@dragoman/protocol';
import type { Kysely } from 'kysely';
import { attachmentId } from '../attachments/store-attachments.ts';
import type { HubTables } from '../hub-tables.ts';
import type { Chat, Channel, Delivery, Receipt } from './channel.ts';
import { DeliveryError } from './delivery-error.ts';
import type { DeskClock } from './desk-clock.ts';
import { chatsOfGroup, groupOf } from './people/chat-store.ts';
import { readListener } from './people/may-listen.ts';
import { GONE, insertPost, savePost, type StoredPost } from './post-rows.ts';
import { actionData, type ChatPlace } from './post-store.ts';
import { settleNote } from './replace-note.ts';
import { type Choice, fingerprintOf } from './wanted-post.ts';

/** What bringing one post into a chat stands on. */
export interface DeliverOptions {
  db: Kysely<HubTables>;
  channel: Channel;
  chat: Chat;
  place: ChatPlace;
  clock: DeskClock;
  signal: AbortSignal;
  /** What posts say in the chat by now, as far as this process has said it. */
  bodies: Map<string, unknown>;
}

/** A delivery that takes longer than this is given up; the next attempt finds out what became of it. */
const DELIVER_MS = 120_000;

/** Another process has worked on the post: it is looked at again. */
export class PostMovedError extends Error {
  override readonly name = 'PostMovedError';
}

/**
 * Brings a post into a chat, or what is there up to date, and keeps what came of it.
 *
 * Whatever may make a new message is noted before it is tried, so that after a crash nobody believes that it was not. Rejects
 * with a `DeliveryError` where it did not get through. False where the platform had nothing to do: what is there is what
 * should be, and only became final.
 */
export async function deliverPost(
  options: DeliverOptions,
  { wanted, isLast }: Choice,
  claimed: (row: StoredPost) => void,
): Promise<boolean> {
  const { db, channel, chat, bodies, clock } = options;
  const { post, replyTo } = wanted;
  if (isThereForGood(wanted)) {
    if (!(await savePost(db, wanted.row!, { state: 'done' }, clock.now())))
      throw new PostMovedError(`The post ${wanted.row!.id} is not what it was.`);
    bodies.delete(wanted.row!.id);
    return false;
  }
  const row = await claim(options, { wanted, isLast });
  claimed(row);
  const { receipt: before, hint, isUncertain } = row;
  const receipt = await withLimit(options, (signal) =>
    channel.deliver({
      chat,
      post,
      nonce: row.nonce,
      actionData: (index) => actionData(row.id, index, actionAt(post, index)),
      before: before && { receipt: before, body: bodies.get(row.id) },
      uncertain: isUncertain ? { hint } : undefined,
      isLast,
      replyTo,
      knownIds: () => knownMessages(db, options.place),
      readAttachment: (url) => readAttachment(db, wanted.sessionId, url),
      mayStill: async () => (await readListener(db, options.place)).mayListen,
      signal,
    }),
  );
  bodies.set(row.id, post.body);
  [row.waitsSince, row.isDue, row.writtenAt] = [undefined, undefined, clock.now()];
  const isOver = post.isFinal && receipt.isLasting;
  // Of a note about something there may be a later one meanwhile.
  const topical = row.note?.topic === undefined ? undefined : row.note;
  const state = isOver && topical === undefined ? 'done' : 'shown';
  const fingerprint = fingerprintOf(post.body);
  const problem = row.problem === GONE ? GONE : undefined;
  await savePost(db, row, { state, receipt, fingerprint, problem, isUncertain: false }, clock.now());
  if (isOver && topical !== undefined && (await settleNote(db, row.id, topical))) row.state = 'done';
  if (row.state === 'done') bodies.delete(row.id);
  return true;
}

/** It stays, and says what it will say in the end. */
function isThereForGood({ post, row }: Choice['wanted']): boolean {
  return (
    post.isFinal &&
    row?.state === 'shown' &&
    row.note === undefined &&
    row.receipt?.isLasting === true &&
    !row.isUncertain &&
    row.fingerprint === fingerprintOf(post.body) &&
    row.actions === JSON.stringify(post.actions)
  );
}

/** Notes that it is tried, with what its buttons do. */
async function claim(
  { db, channel, chat, place, clock }: DeliverOptions,
  { wanted, isLast }: Choice,
): Promise<StoredPost> {
  const { post, sessionId, row } = wanted;
  const hintNow = () => channel.hintOf?.(chat) ?? null;
  if (row === undefined) {
    if (sessionId === undefined) throw new TypeError(`The post "${post.key}" belongs to nothing.`);
    const made = await insertPost(
      db,
      place,
      { sessionId, key: post.key, actions: post.actions, hint: hintNow() },
      clock.now(),
    );
    if (made === undefined) throw new PostMovedError(`The post "${post.key}" was begun by another process.`);
    return made;
  }
  if (row.receipt !== undefined && !row.receipt.isLasting && !isLast) row.isPressed = true;
  const actions = JSON.stringify(post.actions);
  const mayBeNew = row.receipt === undefined || !row.receipt.isLasting;
  if (!mayBeNew && row.actions === actions) return row;
  const changes = mayBeNew ? { state: 'sending' as const, hint: row.isUncertain ? row.hint : hintNow() } : {};
  if (!(await savePost(db, row, { actions, ...changes }, clock.now())))
    throw new PostMovedError(`The post ${row.id} is not what it was.`);
  return row;
}

/** A channel that never answers costs its chat two minutes, and no more. */
async function withLimit(
  { clock, signal }: DeliverOptions,
  deliver: (signal: AbortSignal) => Promise<Receipt>,
): Promise<Receipt> {
  const [over, late] = [new AbortController(), new AbortController()];
  const limit = clock.wait(DELIVER_MS, AbortSignal.any([signal, over.signal])).then(
    () => {
      late.abort();
      throw new DeliveryError(
        { type: 'uncertain' },
        `The platform did not answer within ${DELIVER_MS / 1000} seconds.`,
      );
    },
    (error: unknown) => {
      // A channel may not look at its signal.
      if (signal.aborted) throw error;
      return new Promise<never>(() => {});
    },
  );
  limit.catch(() => {});
  try {
    return await Promise.race([deliver(AbortSignal.any([signal, late.signal])), limit]);
  } finally {
    over.abort();
  }
}

function actionAt({ key, actions }: Delivery<unknown>['post'], index: number) {
  const action = actions[index];
  if (action === undefined)
    throw new RangeError(`The post "${key}" has ${actions.length} buttons, and none at ${index}.`);
  return action;
}

/** Of so many messages the ids are handed out; who looks for one looks among the newest. */
const MAX_KNOWN = 1000;

async function knownMessages(db: Kysely<HubTables>, { channel, chatId }: ChatPlace): Promise<string[]> {
  const chats = await chatsOfGroup(db, { channel, chatId: groupOf(chatId) });
  const rows = await db
    .selectFrom('hub_chat_posts')
    .select('message_id')
    .where('channel', '=', channel)
    .where('chat_id', 'in', [chatId, ...chats])
    .where('message_id', 'is not', null)
    .orderBy('id', 'desc')
    .limit(MAX_KNOWN)
    .execute();
  return rows.map(({ message_id }) => message_id!);
}

/** Only what belongs to the session of the post: an agent may name any address. */
async function readAttachment(
  db: Kysely<HubTables>,
  sessionId: string | undefined,
  url: string,
): Promise<{ bytes: Uint8Array; mediaType: string; name: string | undefined }> {
  const [, type, encoding, data] = /^data:([^;,]*)(?:;[^;,]*)*?(;base64)?,(.*)$/s.exec(url) ?? [];
  if (data !== undefined) {
    const bytes = encoding === undefined ? Buffer.from(decodeURIComponent(data)) : Buffer.from(data, 'base64');
    return { bytes, mediaType: type || 'text/plain', name: undefined };
  }
  const id = attachmentId(url);
  const found =
    id === undefined || sessionId === undefined
      ? undefined
      : await db
          .selectFrom('hub_attachments')
          .select(['name', 'media_type', 'bytes'])
          .where('id', '=', id)
          .where('session_id', '=', sessionId)
          .executeTakeFirst();
  if (found === undefined)
    throw new DragomanError('not-found', `This session has no attachment at ${JSON.stringify(url.slice(0, 100))}.`);
  return { bytes: found.bytes, mediaType: found.media_type, name: found.name ?? undefined };
}
