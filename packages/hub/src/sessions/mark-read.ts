import type { Caller } from '@dragoman/server/base';
import type { HubParts } from '../hub-parts.ts';
import { tellSessionChange } from './tell-change.ts';
import { findSession } from './find-session.ts';

/** Notes up to where a person has read. It only moves forward, and never beyond what there is. */
export async function markRead(
  parts: Pick<HubParts, 'db' | 'feed'>,
  caller: Pick<Caller, 'userId'>,
  sessionId: string,
  seq: number,
): Promise<void> {
  const session = await findSession(parts, sessionId);
  const read = Math.min(seq, session.seq);
  await parts.db
    .insertInto('hub_reads')
    .values({ user_id: caller.userId, session_id: sessionId, seq: read })
    .onConflict((conflict) =>
      conflict.columns(['user_id', 'session_id']).doUpdateSet({ seq: read }).where('hub_reads.seq', '<', read),
    )
    .execute();
  tellSessionChange(parts, sessionId);
}
