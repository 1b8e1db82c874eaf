import type { HubChange, HubRunner, HubSession } from '@dragoman/protocol';
import type { QueryClient } from '@tanstack/react-query';
import { type AnswerOf, callKey } from './calls.ts';
import { client } from './client.ts';
import { noteConnection } from './connection.ts';
import { asRead } from './reading.ts';
import { sessionOrder } from './session-order.ts';

/** The list the whole console shares: the newest sessions that are not archived. */
export const NEWEST = { archived: false, limit: 200 } as const;

/**
 * Keeps lists as the server has them: one stream for the whole page, put into the cache that every list is drawn from.
 *
 * Whenever the stream is live again the lists are read anew, because what happened meanwhile was not told.
 */
export function followLists(cache: QueryClient): () => void {
  const ending = new AbortController();
  const changed = new Map<string, HubChange>();
  let frame: number | undefined;
  const put = () => {
    frame = undefined;
    putChanges(cache, [...changed.values()]);
    changed.clear();
  };
  client
    .followChanges({
      signal: ending.signal,
      onState(state) {
        noteConnection(state);
        if (state.type !== 'live') return;
        for (const name of ['listSessions', 'getSession', 'listRunners', 'listApprovals'] as const)
          void cache.invalidateQueries({ queryKey: [name] });
      },
      onChange(change) {
        changed.set(nameOf(change), change);
        frame ??= window.setTimeout(put, 50);
      },
    })
    .catch((error: unknown) => {
      // Without a login there is nothing to follow; whoever asks for anything is sent to log in.
      if (error instanceof Error) void cache.invalidateQueries({ queryKey: ['me'] });
    });
  return () => {
    ending.abort();
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
    needsApprovals ||= (before?.waitingApprovals ?? 0) > 0 || (after?.waitingApprovals ?? 0) > 0;
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
