import type { DragomanError, HubSession, LoggedHubEvent, SessionView } from '@dragoman/protocol';
import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { followLive } from '../live/live.ts';
import type { LiveState } from '../live/live-message.ts';
import { type AnswerOf, callKey } from './calls.ts';
import { client } from './client.ts';
import { NEWEST } from './followed-calls.ts';
import { IdleQueue, whenIdle } from './idle-queue.ts';
import { PendingView } from './pending-view.ts';
import { readEnd } from './read-end.ts';

/** Views of sessions that were looked at lately: coming back to one shows it at once and reads on from there. */
const lately = new Map<string, SessionView>();
const KEPT = 6;
const HIDDEN_EVERY_MS = 500;

/** As much of a session as is there. */
export interface Shown {
  view: SessionView;
  /** Only the end of it is there yet. */
  isEnd: boolean;
  /** What was missing in front of the end has just come. */
  isGrownInFront: boolean;
}

/**
 * A session as it is shown: its events, folded, drawn at most once per frame however fast they come. Of a long one the end is there
 * first, and the rest follows while the page has nothing else to do.
 *
 * A component shows one session for its whole life: give it the id as its `key`.
 */
export function useSessionView(
  sessionId: string,
  { isWholeFirst }: { isWholeFirst: boolean },
): {
  shown: Shown | undefined;
  stream: LiveState | undefined;
  error: DragomanError | undefined;
} {
  const cache = useQueryClient();
  const [shown, setShown] = useState<Shown | undefined>(() => {
    const known = lately.get(sessionId);
    return known && { view: known, isEnd: false, isGrownInFront: false };
  });
  const [stream, setStream] = useState<LiveState>();
  const [error, setError] = useState<DragomanError>();
  const wantsWhole = useRef(isWholeFirst);

  useEffect(() => {
    let isOver = false;
    const known = lately.get(sessionId);
    const pending = new PendingView(known);
    let frame: number | undefined;
    let drawnAt = -Infinity;
    const draw = () => {
      frame = undefined;
      drawnAt = performance.now();
      const next = pending.take();
      if (next === undefined) return;
      keep(sessionId, next);
      setShown((before) => ({ view: next, isEnd: false, isGrownInFront: before?.isEnd === true }));
    };
    const drawSoon = () => {
      // A page in the background has no frames; it is drawn all the same, now and then.
      if (!pending.isWhole || frame !== undefined) return;
      if (!document.hidden) frame = requestAnimationFrame(draw);
      else if (performance.now() - drawnAt > HIDDEN_EVERY_MS) draw();
      else frame = window.setTimeout(draw, HIDDEN_EVERY_MS);
    };
    let seq = known?.seq ?? 0;
    const take = (data: string) => {
      const { events } = JSON.parse(data) as { events: LoggedHubEvent[] };
      const news = events.filter((event) => event.seq > seq);
      if (news.length === 0) return;
      seq = news.at(-1)!.seq;
      pending.add(news);
      drawSoon();
    };
    const later = new IdleQueue(take);
    let leave: (() => void) | undefined;
    const follow = (isEndShown: boolean) => {
      if (isOver) return;
      leave = followLive(sessionId, {
        after: seq,
        onState: setStream,
        onTold: (data) => (isEndShown && !(pending.isWhole && later.isEmpty) ? later.add(data) : take(data)),
        onOver: setError,
      });
    };
    const showEnd = async () => {
      const session = await findSession(cache, sessionId);
      pending.wholeAt(session.seq);
      const end = wantsWhole.current ? undefined : await readEnd(session);
      if (end !== undefined && !isOver) setShown({ view: end, isEnd: true, isGrownInFront: false });
      return end !== undefined;
    };
    if (known !== undefined) follow(false);
    else
      void showEnd()
        .catch(() => false)
        .then((isShown) => {
          pending.wholeAt(0); // Where nobody could say how long it is.
          if (isShown) leave = whenIdle(() => follow(true));
          else follow(false);
        });
    return () => {
      isOver = true;
      leave?.();
      later.clear();
      if (frame !== undefined) {
        cancelAnimationFrame(frame);
        clearTimeout(frame);
      }
      if (pending.isWhole) keep(sessionId, pending.take()!);
    };
  }, [cache, sessionId]);

  return { shown, stream, error };
}

/** The session as the lists have it. */
async function findSession(cache: QueryClient, sessionId: string): Promise<HubSession> {
  const list = cache.getQueryData<AnswerOf<'listSessions'>>(callKey('listSessions', NEWEST));
  const listed = list?.sessions.find(({ id }) => id === sessionId);
  return (
    listed ??
    cache.fetchQuery({
      queryKey: callKey('getSession', { sessionId }),
      queryFn: ({ signal }) => client.getSession({ sessionId }, { signal }),
    })
  );
}

function keep(sessionId: string, view: SessionView): void {
  lately.delete(sessionId);
  lately.set(sessionId, view);
  if (lately.size <= KEPT) return;
  const [oldest] = lately.keys();
  if (oldest !== undefined) lately.delete(oldest);
}
