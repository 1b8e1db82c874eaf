import type { HubParts } from '../hub-parts.ts';
import { tellSessionChange } from './tell-change.ts';

const RECENT_MS = 60_000;
/** More than are ever at work; the rest is seen with the next reading of a list. */
const MOST = 2_000;

/**
 * Tells every list of the sessions that are at work or were a moment ago: whoever changed them last may have died before it told. Lists
 * that have seen the change are told what they know.
 */
export async function tellMovingSessions(parts: Pick<HubParts, 'db' | 'feed' | 'now'>): Promise<void> {
  const moving = await parts.db
    .selectFrom('hub_sessions')
    .select('id')
    .where((is) => is.or([is('turn_id', 'is not', null), is('updated_at', '>', parts.now() - RECENT_MS)]))
    .orderBy('updated_at', 'desc')
    .limit(MOST)
    .execute();
  for (const { id } of moving) tellSessionChange(parts, id);
}
