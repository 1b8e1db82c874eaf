import type { HubEvent } from '@dragoman/protocol';
import type { HubParts } from '../../hub-parts.ts';
import { findSession } from '../../sessions/find-session.ts';
import { setSession } from './chat-store.ts';
import type { Talk } from './talk.ts';

/** A turn begins at most so many events of that kind ago, else it is shown from here on. */
const LOOK_BACK = 500;

/** Shows a session in the chat from now on; a turn that runs is shown from its beginning. */
export async function showSession({ ears, place, chat }: Talk, sessionId: string): Promise<void> {
  if (chat.session_id === sessionId) return;
  const fromSeq = await beginningOf(ears.parts, sessionId);
  await setSession(ears.parts.db, place, { sessionId, fromSeq }, ears.parts.now());
  ears.wake(place.chatId);
}

async function beginningOf(parts: HubParts, sessionId: string): Promise<number> {
  const { seq, turn_id: turnId } = await findSession(parts, sessionId);
  if (turnId === null) return seq + 1;
  const rows = await parts.db
    .selectFrom('hub_events')
    .select(['seq', 'event'])
    .where('session_id', '=', sessionId)
    .where('block_id', 'is', null)
    .where('event', 'like', '{"type":"turn-started"%')
    .orderBy('seq', 'desc')
    .limit(LOOK_BACK)
    .execute();
  for (const row of rows) {
    const event = JSON.parse(row.event) as HubEvent;
    if (event.type === 'turn-started' && event.turnId === turnId) return row.seq;
  }
  return seq + 1;
}
