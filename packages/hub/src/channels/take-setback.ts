import { randomUUID } from 'node:crypto';
import type { Kysely } from 'kysely';
import type { HubLog } from '../hub-log.ts';
import type { HubTables } from '../hub-tables.ts';
import type { Post } from './channel.ts';
import { PostMovedError } from './deliver-post.ts';
import { DeliveryError, type DeliveryProblem } from './delivery-error.ts';
import type { DeskClock } from './desk-clock.ts';
import { closeChat } from './people/chat-store.ts';
import { GONE, savePost, type StoredPost } from './post-rows.ts';
import type { ChatPlace } from './post-store.ts';
import { fingerprintOf } from './wanted-post.ts';

/** What a delivery that failed means for its chat and for the channel. */
export interface Setback {
  /** How long the chat waits: so many milliseconds, only its ordinary pace, or longer each time. */
  waits: number | 'not' | 'longer';
  /** What the channel is told, where it is more than the matter of one chat. */
  problem?: { type: 'trouble' | 'revoked'; reason: string };
  /** What is known of the posts is not true any more. */
  isMoved?: true;
}

/** What is written down about it. */
export interface SetbackPlace {
  db: Kysely<HubTables>;
  logger: HubLog;
  place: ChatPlace;
  /** There is a row of the chat, in which its state can be kept. */
  hasChat: boolean;
  clock: DeskClock;
}

interface Failed {
  error: unknown;
  post: Post;
  row: StoredPost | undefined;
}

/** A failure that no channel knows is tried so often. */
const MAX_STRANGE = 5;

const strange = new WeakMap<StoredPost, number>();

/** Keeps what a failed delivery means for its post, and says what it means for the rest. */
export async function takeSetback(where: SetbackPlace, { error, post, row }: Failed): Promise<Setback> {
  const { db, logger, place, clock, hasChat } = where;
  if (row === undefined || error instanceof PostMovedError) return { waits: 'longer', isMoved: true };
  const problem = problemOf(error, row);
  const reason = error instanceof DeliveryError ? error.message : 'The channel failed in an unexpected way.';
  const fields = { ...place, postId: row.id, problem: problem.type };
  switch (problem.type) {
    case 'later':
      await putBack(where, row);
      // Being asked to slow down is no trouble.
      if (problem.afterMs !== undefined) return { waits: problem.afterMs };
      return { waits: 'longer', problem: { type: 'trouble', reason } };
    case 'uncertain':
      row.isUncertain = row.receipt?.isLasting !== true;
      logger.debug(
        { ...fields, ...(!(error instanceof DeliveryError) && { err: error }) },
        'could not tell whether a message arrived',
      );
      return { waits: 'longer', problem: { type: 'trouble', reason } };
    case 'refused': {
      const fingerprint = fingerprintOf(post.body);
      await savePost(db, row, { state: 'failed', fingerprint, problem: reason, isUncertain: false }, clock.now());
      logger.warn({ ...fields, reason }, 'the platform refused a message');
      return { waits: 'not' };
    }
    case 'gone':
      await sendAnew(where, row);
      return { waits: 'not' };
    case 'closed':
      if (hasChat) await putBack(where, row);
      else await savePost(db, row, { state: 'failed', problem: reason, isUncertain: false }, clock.now());
      await closeChat(db, place, reason, clock.now());
      logger.info(fields, 'cannot write in a chat');
      return { waits: 'not', isMoved: true };
    case 'revoked':
      await putBack(where, row);
      return { waits: 'not', problem: { type: 'revoked', reason } };
  }
}

function problemOf(error: unknown, row: StoredPost): DeliveryProblem {
  if (error instanceof DeliveryError) return error.problem;
  const times = (strange.get(row) ?? 0) + 1;
  strange.set(row, times);
  return times < MAX_STRANGE ? { type: 'uncertain' } : { type: 'refused' };
}

/** This attempt did not arrive. Whether an earlier one did is as open as before. */
async function putBack({ db, clock }: SetbackPlace, row: StoredPost): Promise<void> {
  if (row.isUncertain || row.state !== 'sending') return;
  await savePost(db, row, { state: row.receipt === undefined ? 'wanted' : 'shown' }, clock.now());
}

/** What a person deleted is left alone where it was complete; otherwise it is sent once more, as another message. */
async function sendAnew({ db, clock }: SetbackPlace, row: StoredPost): Promise<void> {
  const none = { receipt: undefined, isUncertain: false };
  if (row.state === 'done' || row.problem === GONE || row.receipt === undefined)
    await savePost(db, row, { ...none, state: 'done', problem: GONE }, clock.now());
  else
    await savePost(
      db,
      row,
      { ...none, state: 'wanted', nonce: randomUUID(), fingerprint: undefined, problem: GONE },
      clock.now(),
    );
}
