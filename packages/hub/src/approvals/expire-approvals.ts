import { DragomanError } from '@dragoman/protocol';
import type { HubParts } from '../hub-parts.ts';
import { settleApproval } from './settle-approval.ts';

/** How long to wait when something went wrong. */
const AGAIN_MS = 5_000;
/** Where other processes take in approvals too, one of them may have ended before it could answer. */
const LOOK_MS = 60_000;

/** Says no to every approval that nobody answered in time, and sets the clock for the next one. */
export async function expireApprovals(parts: HubParts): Promise<void> {
  const { db, now, approvalClock, logger } = parts;
  try {
    const late = await db
      .selectFrom('hub_approvals')
      .select(['session_id', 'id'])
      .where('state', '=', 'waiting')
      .where('expires_at', '<=', now())
      .execute();
    for (const { session_id, id } of late) {
      try {
        await parts.log.change(session_id, (change) =>
          settleApproval(parts, change, {
            approvalId: id,
            reply: { type: 'rejected', isLate: true },
            by: { type: 'time-limit' },
          }),
        );
      } catch (error) {
        if (!isTooLate(error)) throw error;
      }
    }
    const next = await db
      .selectFrom('hub_approvals')
      .select(({ fn }) => fn.min('expires_at').as('at'))
      .where('state', '=', 'waiting')
      .executeTakeFirst();
    if (next !== undefined && next.at !== null) approvalClock.wakeAt(Number(next.at));
    if (parts.engine === 'postgres') approvalClock.wakeAt(now() + LOOK_MS);
  } catch (err) {
    logger.warn({ err }, 'approvals that ran out of time could not be looked after');
    approvalClock.wakeAt(now() + AGAIN_MS);
  }
}

/** Somebody answered in the same moment, or the session is gone. */
function isTooLate(error: unknown): boolean {
  return error instanceof DragomanError && (error.code === 'conflict' || error.code === 'not-found');
}
