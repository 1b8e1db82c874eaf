import type { HubChange, HubRunner, HubSession } from '@dragoman/protocol';
import { asRead } from './reading.ts';
import { sessionOrder } from './session-order.ts';

/** What a change is of: a session or a machine. */
export function subjectOf(change: HubChange): string {
  if (change.type === 'session') return change.session.id;
  return change.type === 'runner' ? change.runner.id : change.sessionId;
}

/** Sessions that are not archived, with what changed, in the order of lists. */
export function putSessions(sessions: readonly HubSession[], changes: readonly HubChange[]): HubSession[] {
  let put = [...sessions];
  for (const change of changes) {
    if (change.type === 'runner') continue;
    const after = change.type === 'session' && !change.session.isArchived ? asRead(change.session) : undefined;
    put = after === undefined ? put.filter(({ id }) => id !== subjectOf(change)) : putById(put, after);
  }
  return put.toSorted(sessionOrder);
}

/** A session, as it was told last. */
export function putSession(session: HubSession, changes: readonly HubChange[]): HubSession {
  const told = changes.findLast((change) => change.type === 'session' && change.session.id === session.id);
  return told?.type === 'session' ? asRead(told.session) : session;
}

/** Machines, with what changed. */
export function putRunners(runners: readonly HubRunner[], changes: readonly HubChange[]): HubRunner[] {
  let put = [...runners];
  for (const change of changes) if (change.type === 'runner') put = putById(put, change.runner);
  return put;
}

function putById<Item extends { id: string }>(items: readonly Item[], item: Item): Item[] {
  return items.some(({ id }) => id === item.id)
    ? items.map((one) => (one.id === item.id ? item : one))
    : [item, ...items];
}
