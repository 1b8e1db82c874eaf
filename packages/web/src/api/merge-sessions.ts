import type { HubSession } from '@dragoman/protocol';
import type { InputOf } from './calls.ts';
import { sessionOrder } from './session-order.ts';

/** Which sessions are wanted. */
export type SessionFilter = Pick<
  InputOf<'listSessions'> & object,
  'status' | 'agent' | 'runnerId' | 'folder' | 'pinned'
> & {
  archived: boolean;
};

interface KnownSessions {
  /** Pages that were read. */
  loaded: readonly HubSession[];
  /** The live list, which knows nothing of archived sessions. */
  newest: readonly HubSession[] | undefined;
  /** How many the live list has at least where there are more. */
  reach: number;
  filter: SessionFilter;
}

/**
 * The pages that were read, as the live list says they are now, in the order of lists. Within its reach the live list is
 * right: what is missing there is gone or archived.
 */
export function mergeSessions({ loaded, newest, reach, filter }: KnownSessions): HubSession[] {
  const live = filter.archived ? undefined : newest;
  if (live === undefined) return loaded.toSorted(sessionOrder);
  const last = live.length < reach ? undefined : live.toSorted(sessionOrder).at(-1);
  const known = new Set(live.map(({ id }) => id));
  const isBeyond = (session: HubSession) =>
    last !== undefined && !known.has(session.id) && sessionOrder(last, session) < 0;
  return [...live.filter((session) => passes(session, filter)), ...loaded.filter(isBeyond)].toSorted(sessionOrder);
}

/** The same question that the server answers. */
function passes(session: HubSession, { status, agent, runnerId, folder, pinned }: SessionFilter): boolean {
  return (
    (status === undefined || session.status === status) &&
    (agent === undefined || session.agent === agent) &&
    (runnerId === undefined || session.runnerId === runnerId) &&
    (folder === undefined || session.folder === folder) &&
    (pinned === undefined || session.isPinned === pinned)
  );
}
