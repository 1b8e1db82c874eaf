import { createECDH } from 'node:crypto';
import { DragomanError, newId, type PushSubscriptionInfo } from '@dragoman/protocol';
import type { HUB_CALLS } from '@dragoman/protocol/schemas';
import type { Caller } from '@dragoman/server/base';
import type { z } from 'zod';
import type { HubParts } from '../hub-parts.ts';
import type { Recipient } from './find-recipients.ts';
import { openVapidKeys } from './vapid-store.ts';

/** A subscription as a browser asks for it. */
export type SubscriptionBody = z.output<(typeof HUB_CALLS)['subscribePush']['body']>;

/** More browsers than this nobody looks at. */
const MOST = 50;

/** The key browsers subscribe with, and the browsers of one person. */
export async function readPush(
  { db }: HubParts,
  { userId }: Caller,
): Promise<{ publicKey: string; subscriptions: PushSubscriptionInfo[] }> {
  const { publicKey } = await openVapidKeys(db);
  const rows = await db
    .selectFrom('hub_push_subscriptions')
    .selectAll()
    .where('user_id', '=', userId)
    .orderBy('created_at')
    .orderBy('id')
    .execute();
  return { publicKey, subscriptions: rows.map(toInfo) };
}

/** Notifies a browser from now on. One that is known already is whose it is now, with what it is asked for now. */
export async function subscribePush(
  { db, now, pusher }: HubParts,
  { userId, tokenId }: Caller,
  { endpoint, keys, name, about, language }: SubscriptionBody,
): Promise<PushSubscriptionInfo> {
  pusher.transport.check(endpoint);
  checkKeys(keys);
  const changing = {
    user_id: userId,
    token_id: tokenId ?? null,
    p256dh: keys.p256dh,
    auth: keys.auth,
    name,
    approvals: Number(about.approvals),
    failures: Number(about.failures),
    finished: Number(about.finished),
    language,
    last_error: null,
  };
  const { count } = await db
    .selectFrom('hub_push_subscriptions')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('user_id', '=', userId)
    .where('endpoint', '!=', endpoint)
    .executeTakeFirstOrThrow();
  if (Number(count) >= MOST)
    throw new DragomanError('conflict', `${count} browsers of yours are notified, and the limit is ${MOST}; end some.`);
  const row = await db
    .insertInto('hub_push_subscriptions')
    .values({ id: newId('sub'), endpoint, created_at: now(), ...changing })
    .onConflict((conflict) => conflict.column('endpoint').doUpdateSet(changing))
    .returningAll()
    .executeTakeFirstOrThrow();
  return toInfo(row);
}

/** Ends a subscription. Those of others are as good as not there. */
export async function unsubscribePush(parts: HubParts, caller: Caller, subscriptionId: string): Promise<void> {
  const { id } = await findOwn(parts, caller, subscriptionId);
  await parts.db.deleteFrom('hub_push_subscriptions').where('id', '=', id).execute();
}

/** Sends a notification at once, and says why where it does not get through. */
export async function testPush(parts: HubParts, caller: Caller, subscriptionId: string): Promise<void> {
  const outcome = await parts.pusher.test(await findOwn(parts, caller, subscriptionId));
  if (outcome.type === 'gone')
    throw new DragomanError('not-found', 'This browser has ended its subscription; turn notifications on in it again.');
  if (outcome.type === 'failed') throw new DragomanError('unavailable', outcome.error, { isRetryable: true });
}

async function findOwn({ db }: HubParts, { userId }: Caller, subscriptionId: string): Promise<Recipient> {
  const row = await db
    .selectFrom('hub_push_subscriptions')
    .selectAll()
    .where('id', '=', subscriptionId)
    .where('user_id', '=', userId)
    .executeTakeFirst();
  if (row === undefined)
    throw new DragomanError(
      'not-found',
      `You have no subscription ${JSON.stringify(subscriptionId.slice(0, 100))}; GET /api/push lists them.`,
    );
  return row;
}

/** Keys that nothing can be encrypted for would only be noticed when there is something to say. */
function checkKeys({ p256dh, auth }: SubscriptionBody['keys']): void {
  if (Buffer.from(auth, 'base64url').length !== 16)
    throw new DragomanError('bad-request', 'keys.auth: expected 16 bytes in base64url.');
  try {
    const pair = createECDH('prime256v1');
    pair.generateKeys();
    pair.computeSecret(Buffer.from(p256dh, 'base64url'));
  } catch (cause) {
    throw new DragomanError('bad-request', 'keys.p256dh: expected a point of P-256 in base64url.', { cause });
  }
}

function toInfo(row: Recipient): PushSubscriptionInfo {
  return {
    id: row.id,
    name: row.name,
    about: { approvals: row.approvals === 1, failures: row.failures === 1, finished: row.finished === 1 },
    createdAt: row.created_at,
    ...(row.last_error !== null && { lastError: row.last_error }),
  };
}
