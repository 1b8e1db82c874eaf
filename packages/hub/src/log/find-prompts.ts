import type { HubEvent, LoggedHubEvent } from '@dragoman/protocol';
import type { Kysely } from 'kysely';
import type { HubTables } from '../hub-tables.ts';
import { isTakenOut, readTakenOut, type TakenOut } from './taken-out.ts';

/** The prompts of a session as its log tells them. */
export interface LoggedPrompts {
  queued: readonly LoggedHubEvent[];
  /** Where each prompt that is shown was taken up. */
  takenUp: ReadonlyMap<string, number>;
  takenOut: TakenOut;
}

/** What tells of prompts. The others may be long. */
const TOLD = ['prompt-queued', 'prompt-taken', 'turn-started'] satisfies HubEvent['type'][];

/** Finds where prompts were sent and taken up, without reading what was said. */
export async function findPrompts(db: Kysely<HubTables>, sessionId: string): Promise<LoggedPrompts> {
  const takenOut = await readTakenOut(db, sessionId);
  const rows = await db
    .selectFrom('hub_events')
    .select(['seq', 'at', 'event'])
    .where('session_id', '=', sessionId)
    .where('block_id', 'is', null)
    .where(({ or, eb }) => or(TOLD.map((type) => eb('event', 'like', `{"type":"${type}"%`))))
    .orderBy('seq')
    .execute();
  const queued: LoggedHubEvent[] = [];
  const takenUp = new Map<string, number>();
  for (const { seq, at, event } of rows) {
    const logged: LoggedHubEvent = { seq, at, event: JSON.parse(event) as HubEvent };
    if (isTakenOut(takenOut, logged)) continue;
    if (logged.event.type === 'prompt-queued') queued.push(logged);
    else if (logged.event.type === 'prompt-taken' || logged.event.type === 'turn-started') {
      const { promptId } = logged.event;
      if (promptId !== undefined && !takenUp.has(promptId)) takenUp.set(promptId, seq);
    }
  }
  return { queued, takenUp, takenOut };
}
