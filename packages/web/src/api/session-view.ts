import type { DragomanError, SessionView, StreamState } from '@dragoman/protocol';
import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { type AnswerOf, callKey } from './calls.ts';
import { client } from './client.ts';
import { NEWEST } from './live-lists.ts';
import { PendingView } from './pending-view.ts';

/** Views of sessions that were looked at lately: coming back to one shows it at once and reads on from there. */
const lately = new Map<string, SessionView>();
const KEPT = 6;
/** A session that takes longer to read is drawn as far as it is. */
const WHOLE_WITHIN_MS = 3_000;

/**
 * A session as it is shown: its events, folded, drawn at most once per frame however fast they come.
 *
 * A component shows one session for its whole life: give it the id as its `key`.
 */
export function useSessionView(sessionId: string): {
  view: SessionView | undefined;
  stream: StreamState | undefined;
  error: DragomanError | undefined;
} {
  const cache = useQueryClient();
  const [view, setView] = useState<SessionView | undefined>(() => lately.get(sessionId));
  const [stream, setStream] = useState<StreamState>();
  const [error, setError] = useState<DragomanError>();

  useEffect(() => {
    const ending = new AbortController();
    const known = lately.get(sessionId);
    const pending = new PendingView(known);
    let frame: number | undefined;
    const draw = () => {
      frame = undefined;
      const next = pending.take();
      if (next === undefined) return;
      keep(sessionId, next);
      setView(next);
    };
    const drawSoon = () => {
      // A page in the background has no frames; it is drawn all the same, now and then.
      if (pending.isWhole) frame ??= document.hidden ? window.setTimeout(draw, 500) : requestAnimationFrame(draw);
    };
    const wholeAt = (seq: number) => {
      pending.wholeAt(seq);
      if (!ending.signal.aborted) drawSoon();
    };
    const tooLong = window.setTimeout(wholeAt, WHOLE_WITHIN_MS, 0);
    if (known === undefined) lastSeq(cache, sessionId).then(wholeAt, () => wholeAt(0));
    client
      .followSession(sessionId, {
        signal: ending.signal,
        after: known?.seq,
        onState: setStream,
        onEvents(events) {
          pending.add(events);
          drawSoon();
        },
      })
      .catch((reason: unknown) => setError(reason as DragomanError));
    return () => {
      ending.abort();
      clearTimeout(tooLong);
      if (frame !== undefined) {
        cancelAnimationFrame(frame);
        clearTimeout(frame);
      }
      if (pending.isWhole) keep(sessionId, pending.take()!);
    };
  }, [cache, sessionId]);

  return { view, stream, error };
}

/** The number of the session's last event, as far as the lists know it. */
async function lastSeq(cache: QueryClient, sessionId: string): Promise<number> {
  const list = cache.getQueryData<AnswerOf<'listSessions'>>(callKey('listSessions', NEWEST));
  const listed = list?.sessions.find(({ id }) => id === sessionId);
  if (listed !== undefined) return listed.seq;
  const asked = await cache.fetchQuery({
    queryKey: callKey('getSession', { sessionId }),
    queryFn: ({ signal }) => client.getSession({ sessionId }, { signal }),
  });
  return asked.seq;
}

function keep(sessionId: string, view: SessionView): void {
  lately.delete(sessionId);
  lately.set(sessionId, view);
  if (lately.size <= KEPT) return;
  const [oldest] = lately.keys();
  if (oldest !== undefined) lately.delete(oldest);
}
