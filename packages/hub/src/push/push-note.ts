import {
  type Approval,
  askedInText,
  askedText,
  type Fault,
  type HubEvent,
  type HubEventOf,
  newId,
} from '@dragoman/protocol';
import type { HubParts } from '../hub-parts.ts';
import type { SessionChange } from '../log/session-change.ts';

/** Something in a session that people may want to hear of. */
export type PushNote =
  | {
      kind: 'approval';
      approvalId: string;
      title: string;
      /** All that would be done, where that is told and is one line of no great length. */
      whole?: string | undefined;
      allow?: string | undefined;
      reject?: string | undefined;
    }
  | { kind: 'failed'; reason?: string | undefined }
  | { kind: 'finished' };

/** What is longer finds no room in any notification. */
const WHOLE_CHARS = 400;
/** So much is kept of why a turn failed. */
const REASON_CHARS = 1_000;

/**
 * Notes what people are to be notified of, in the transaction that stores the event. Nothing is sent here: whoever works on a
 * session never waits for a push service.
 */
export async function noteForPush(parts: HubParts, change: SessionChange, event: HubEvent): Promise<void> {
  if (!isNews(event)) return;
  const anyone = await change.db.selectFrom('hub_push_subscriptions').select('id').limit(1).executeTakeFirst();
  const note = anyone === undefined ? undefined : noteOf(change, event);
  if (note === undefined) return;
  await change.db
    .insertInto('hub_push_notes')
    .values({
      id: newId('ntf'),
      session_id: change.session.id,
      note_json: JSON.stringify(note),
      created_at: parts.now(),
    })
    .execute();
  change.afterCommit(() => parts.pusher.wake());
}

/** Whether people who are elsewhere may want to hear of it. What there is to tell is found out when somebody does. */
export function isNews({ type }: HubEvent): boolean {
  return type === 'approval-asked' || type === 'turn-finished';
}

/** What an event is to people who are elsewhere. */
export function noteOf({ session }: SessionChange, event: HubEvent): PushNote | undefined {
  switch (event.type) {
    case 'approval-asked':
      return approvalNote(event.approval);
    case 'turn-finished':
      return turnNote(event, session);
    default:
      return undefined;
  }
}

function approvalNote(approval: Approval): PushNote {
  const { id, title, options } = approval;
  const optionId = (kind: string) => options.find((option) => option.kind === kind)?.id;
  const { parts, isWhole } = askedInText(approval);
  const text = askedText(parts, { hasAsides: false, between: ' · ' }).trim();
  const isLine = isWhole && text.length <= WHOLE_CHARS && !/[\n\t]/.test(text);
  return {
    kind: 'approval',
    approvalId: id,
    title: title.slice(0, WHOLE_CHARS),
    ...(isLine && { whole: text }),
    allow: optionId('allow_once'),
    reject: optionId('reject_once'),
  };
}

/** Who stopped a turn knows that it is over, and where more waits the session is not done yet. */
function turnNote(
  { reason, error }: HubEventOf<'turn-finished'>,
  session: SessionChange['session'],
): PushNote | undefined {
  if (reason === 'cancelled') return undefined;
  if (reason === 'done') return session.queued > 0 ? undefined : { kind: 'finished' };
  // That it failed is said anyway.
  const told = reason === 'failed' || session.last_error_json === null ? undefined : session.last_error_json;
  const fault = error ?? (told === undefined ? undefined : (JSON.parse(told) as Fault));
  return { kind: 'failed', reason: fault?.message.slice(0, REASON_CHARS) };
}
