import type { HubChange, HubRunner, HubSession } from '@dragoman/protocol';
import type { QueryClient } from '@tanstack/react-query';
import { type AnswerOf, callKey, FOLLOWED_CALLS } from './calls.ts';
import { followLive } from '../live/live.ts';
import { noteConnection } from './connection.ts';
import { letRead, wasRead } from './first-reading.ts';
import { whenLoginChanges } from './page-secret.ts';
import { asRead } from './reading.ts';
import { sessionOrder } from './session-order.ts';

/** The list the whole console shares: the newest sessions that are not archived. */
export const NEWEST = { archived: false, limit: 200 } as const;

/**
 * Keeps lists as the server has them: what changes is put into the cache that every list is drawn from.
 *
 * Whenever the stream is live again the lists are read anew, because what happened meanwhile was not told.
 */
export function followLists(cache: QueryClient): () => void {
  const changed = new Map<string, HubChange>();
  let frame: number | undefined;
  const put = () => {
    frame = undefined;
    putChanges(cache, [...changed.values()]);
    changed.clear();
  };
  const leave = followLive('lists', {
    onState(state) {
      noteConnection(state);
      if (state === 'live' && wasRead())
        for (const name of FOLLOWED_CALLS) void cache.invalidateQueries({ queryKey: [name] });
      if (state !== 'connecting') letRead();
    },
    onTold(data) {
      const { change } = JSON.parse(data) as { change: HubChange };
      changed.set(nameOf(change), change);
      frame ??= window.setTimeout(put, 50);
    },
    // Without a login there is nothing to follow; whoever asks for anything is sent to log in.
    onOver() {
      letRead();
      void cache.invalidateQueries({ queryKey: ['me'] });
    },
  });
  // Somebody else may be logged in now, or nobody.
  const forget = whenLoginChanges(() => void cache.invalidateQueries());
  return () => {
    leave();
    forget();
    clearTimeout(frame);
  };
}

function nameOf(change: HubChange): string {
  if (change.type === 'session') return change.session.id;
  return change.type === 'runner' ? change.runner.id : change.sessionId;
}

function putChanges(cache: QueryClient, changes: readonly HubChange[]): void {
  let sessions = cache.getQueryData<AnswerOf<'listSessions'>>(callKey('listSessions', NEWEST))?.sessions;
  let runners = cache.getQueryData<AnswerOf<'listRunners'>>(callKey('listRunners'))?.runners;
  let needsApprovals = false;
  for (const change of changes) {
    if (change.type === 'runner') {
      runners = putById(runners, change.runner);
      continue;
    }
    const id = change.type === 'session' ? change.session.id : change.sessionId;
    const before = sessions?.find((session) => session.id === id);
    const after = change.type === 'session' ? asRead(change.session) : undefined;
    const [asked, asks] = [before?.waitingApprovals ?? 0, after?.waitingApprovals ?? 0];
    // As many as before may be others than before, where something happened.
    needsApprovals ||= asked !== asks || (asks > 0 && before?.seq !== after?.seq);
    if (after !== undefined) cache.setQueryData(callKey('getSession', { sessionId: id }), after);
    sessions =
      after === undefined || after.isArchived ? sessions?.filter((one) => one.id !== id) : putById(sessions, after);
  }
  if (sessions !== undefined)
    cache.setQueryData(callKey('listSessions', NEWEST), (old: AnswerOf<'listSessions'> | undefined) => ({
      ...old,
      sessions: sessions.toSorted(sessionOrder),
    }));
  if (runners !== undefined) cache.setQueryData(callKey('listRunners'), { runners });
  if (needsApprovals) void cache.invalidateQueries({ queryKey: ['listApprovals'] });
  if (changes.length > 0)
    void cache.invalidateQueries({
      predicate: ({ queryKey: [name, input] }) =>
        name === 'listSessions' && JSON.stringify(input) !== JSON.stringify(NEWEST),
    });
}

function putById<Item extends HubSession | HubRunner>(
  items: readonly Item[] | undefined,
  item: Item,
): Item[] | undefined {
  if (items === undefined) return undefined;
  return items.some(({ id }) => id === item.id)
    ? items.map((one) => (one.id === item.id ? item : one))
    : [item, ...items];
}
