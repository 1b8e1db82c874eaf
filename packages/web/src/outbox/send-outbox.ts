import { DragomanError } from '@dragoman/protocol/error';
import { client } from '../api/client.ts';
import { pageSecret } from '../api/page-secret.ts';
import { type Deed, hasWords, type OutboxItem } from './outbox-item.ts';
import { outboxItems, putItem, removeItem } from './outbox-store.ts';

/** What became of a deed. */
export type Outcome = { answer: unknown; refusal?: undefined } | { refusal: DragomanError };

/** Waiting mends these: the server is away, is busy, or wants to know who it is. */
const PASSING: ReadonlySet<string> = new Set([
  'unavailable',
  'timed-out',
  'cancelled',
  'rate-limited',
  'unauthenticated',
]);

/**
 * Sends what a person did, in the order it was done, for as long as the server takes it. Resolves with whether something is left that is
 * worth another attempt.
 *
 * Two pages may send the same at once: the server does each deed once. A lock between pages is no help here, because one that a page
 * waits for when it is left may never be given to anybody again (Chromium, with pages in its back/forward cache).
 */
export async function sendOutbox(
  userId: string,
  onOutcome: (item: OutboxItem, outcome: Outcome) => void,
): Promise<boolean> {
  const waiting = () => outboxItems().filter((item) => item.userId === userId && item.refusal === undefined);
  if (waiting().length === 0) return false;
  const secret = pageSecret();
  const isTheirs = await isLoginOf(userId, secret);
  if (isTheirs === false) return false;
  for (let [item] = waiting(); item !== undefined; [item] = waiting()) {
    // A login that was replaced in between lets nothing of the one before through.
    if (pageSecret() !== secret) return false;
    const { id } = item;
    const outcome = isTheirs === undefined ? undefined : await attempt(item);
    if (outcome === undefined) {
      for (const one of waiting()) if (one.wasTried !== true) putItem({ ...one, wasTried: true });
      return waiting().length > 0;
    }
    onOutcome(item, outcome);
    const { refusal } = outcome;
    // Words are kept for who wrote them, unless they were taken back meanwhile.
    if (refusal === undefined || !hasWords(item)) removeItem(id);
    else if (waiting().some((one) => one.id === id))
      putItem({ ...item, refusal: { code: refusal.code, message: refusal.message } });
  }
  return false;
}

/** The login that was last found to be somebody's. */
let known: { userId: string; secret: string | undefined } | undefined;

/** Whether the browser is logged in as somebody; nothing where the server does not say. A deed belongs to who did it. */
async function isLoginOf(userId: string, secret: string | undefined): Promise<boolean | undefined> {
  if (known === undefined || known.secret !== secret) {
    const me = await client.me().catch(() => undefined);
    if (me === undefined) return undefined;
    known = { userId: me.userId, secret };
  }
  return known.userId === userId;
}

/** Nothing where another attempt may help. */
async function attempt(deed: Deed): Promise<Outcome | undefined> {
  try {
    return { answer: await call(deed) };
  } catch (error) {
    if (!(error instanceof DragomanError)) throw error;
    return error.isRetryable || PASSING.has(error.code) ? undefined : { refusal: error };
  }
}

function call(deed: Deed): Promise<unknown> {
  if (deed.call === 'sendPrompt') return client.sendPrompt(deed.input);
  return deed.call === 'decideApproval' ? client.decideApproval(deed.input) : client.withdrawPrompt(deed.input);
}
