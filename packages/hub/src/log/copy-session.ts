import { setImmediate as nextTurn } from 'node:timers/promises';
import { type HubEvent, type LoggedHubEvent, newId } from '@dragoman/protocol';
import { insertEvents } from './event-rows.ts';
import type { LockedSession } from './locked-session.ts';
import { noteEvent } from './note-session.ts';
import { readPage, renumbered, storedText } from './read-events.ts';
import type { Place } from './session-rows.ts';
import { isTakenOut, readTakenOut } from './taken-out.ts';

const PAGE = 1000;
const ATTACHMENT = /\/api\/attachments\/(att_[0-9a-z]+)/g;

/** True of the other session only; the agent of this one says its own. */
const LEFT_OUT = new Set<HubEvent['type']>([
  'session-created',
  'session-updated',
  'session-moved',
  'agent-state',
  'reverted',
  'revert-failed',
]);

/**
 * Writes what another session says into this one. The distance between numbers stays the same, so that blocks stand
 * where they were opened. What was taken out of the other one does not come along. Attachments are copied too: the other session may be removed.
 */
export async function copySession(
  { sessionId, throughSeq }: { sessionId: string; throughSeq: number },
  to: LockedSession,
): Promise<void> {
  await to.write(async (place, row) => {
    const offset = row.seq;
    const copies = new Map<string, string>();
    for await (const events of pagesThrough(place, sessionId, throughSeq)) {
      await copyAttachments(place, events, row.id, copies);
      const copied = events.map((logged) => moved(logged, offset, copies));
      await insertEvents(place, [{ sessionId: row.id, events: copied }]);
      for (const logged of copied) noteEvent(row, logged);
    }
    return [];
  });
}

/** What comes along, page by page; others have their turn in between. */
async function* pagesThrough(place: Place, sessionId: string, throughSeq: number): AsyncGenerator<LoggedHubEvent[]> {
  const takenOut = await readTakenOut(place.db, sessionId);
  for (let after = 0; ;) {
    const { events, isLast } = await readPage(place, sessionId, { after, limit: PAGE });
    yield events
      .filter((logged) => logged.seq <= throughSeq && !LEFT_OUT.has(logged.event.type) && !isTakenOut(takenOut, logged))
      .map(withoutName);
    after = events.at(-1)?.seq ?? after;
    if (isLast || after >= throughSeq) return;
    await nextTurn();
  }
}

/** What the agent calls the session, and the title it gave it, stay with the other one. */
function withoutName(logged: LoggedHubEvent): LoggedHubEvent {
  if (logged.event.type !== 'agent-updated') return logged;
  const { agentSessionId: _, title: __, ...event } = logged.event;
  return { ...logged, event };
}

function moved(logged: LoggedHubEvent, offset: number, copies: ReadonlyMap<string, string>): LoggedHubEvent {
  const seq = logged.seq + offset;
  const event = withAttachments(logged, copies);
  if ('since' in event && event.since !== undefined)
    return { seq, at: logged.at, event: { ...event, since: { ...event.since, seq: event.since.seq + offset } } };
  return event === logged.event ? renumbered(logged, seq) : { seq, at: logged.at, event };
}

function withAttachments(logged: LoggedHubEvent, copies: ReadonlyMap<string, string>): HubEvent {
  if (copies.size === 0) return logged.event;
  const text = textOf(logged);
  const copied = text.replace(ATTACHMENT, (url, id: string) => url.replace(id, copies.get(id) ?? id));
  return copied === text ? logged.event : (JSON.parse(copied) as HubEvent);
}

/** The event as JSON. The text of the store is used where it can be: nobody else can write while a session is copied. */
function textOf(logged: LoggedHubEvent): string {
  return storedText(logged) ?? JSON.stringify(logged.event);
}

/** Copies the attachments that events name and that have no copy yet. */
async function copyAttachments(
  { db }: Place,
  events: readonly LoggedHubEvent[],
  sessionId: string,
  copies: Map<string, string>,
): Promise<void> {
  const named = events.flatMap((logged) => [...textOf(logged).matchAll(ATTACHMENT)].map(([, id]) => id!));
  for (const id of new Set(named)) {
    if (copies.has(id)) continue;
    const copy = newId('att');
    copies.set(id, copy);
    await db
      .insertInto('hub_attachments')
      .columns(['id', 'session_id', 'name', 'media_type', 'bytes'])
      .expression((query) =>
        query
          .selectFrom('hub_attachments')
          .select(({ val }) => [val(copy).as('id'), val(sessionId).as('session_id'), 'name', 'media_type', 'bytes'])
          .where('id', '=', id),
      )
      .execute();
  }
}
