import type { HubChange } from '@dragoman/protocol';
import type { QueryClient } from '@tanstack/react-query';
import { type AnswerOf, callKey } from './calls.ts';
import { followLive } from '../live/live.ts';
import { noteConnection } from './connection.ts';
import { letRead, wasRead } from './first-reading.ts';
import { FOLLOWED_CALLS, isNewest, NEWEST } from './followed-calls.ts';
import { whenLoginChanges } from './page-secret.ts';
import { putRunners, putSessions, subjectOf } from './put-changes.ts';
import { noteChanges } from './read-while-followed.ts';
import { asRead } from './reading.ts';

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
      changed.set(subjectOf(change), change);
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

function putChanges(cache: QueryClient, changes: readonly HubChange[]): void {
  noteChanges(changes);
  const listed = cache.getQueryData<AnswerOf<'listSessions'>>(callKey('listSessions', NEWEST));
  const runners = cache.getQueryData<AnswerOf<'listRunners'>>(callKey('listRunners'))?.runners;
  let needsApprovals = false;
  for (const change of changes) {
    if (change.type === 'runner') continue;
    const before = listed?.sessions.find(({ id }) => id === subjectOf(change));
    const after = change.type === 'session' ? asRead(change.session) : undefined;
    const [asked, asks] = [before?.waitingApprovals ?? 0, after?.waitingApprovals ?? 0];
    // As many as before may be others than before, where something happened.
    needsApprovals ||= asked !== asks || (asks > 0 && before?.seq !== after?.seq);
    if (after !== undefined) cache.setQueryData(callKey('getSession', { sessionId: after.id }), after);
  }
  if (listed !== undefined)
    cache.setQueryData(callKey('listSessions', NEWEST), { ...listed, sessions: putSessions(listed.sessions, changes) });
  if (runners !== undefined) cache.setQueryData(callKey('listRunners'), { runners: putRunners(runners, changes) });
  if (needsApprovals) void cache.invalidateQueries({ queryKey: ['listApprovals'] });
  if (changes.length > 0)
    void cache.invalidateQueries({
      predicate: ({ queryKey: [name, input] }) => name === 'listSessions' && !isNewest(input),
    });
}
