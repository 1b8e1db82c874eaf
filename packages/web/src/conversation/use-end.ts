import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';
import { hasGoneUp, type Place } from './has-gone-up.ts';

/** So near to the end is at the end. */
const NEAR = 40;
/** So long after it grew in front the list puts itself right, from places that it takes for the newest. */
const SETTLES_MS = 2000;
const KEYS_UP = new Set(['Home', 'PageUp', 'ArrowUp']);

/** How a conversation stands with its end. */
export interface End {
  /** The newest is in sight. */
  isInSight: boolean;
  /** The last event when the person began to look elsewhere; absent while the newest is in sight. */
  seenSeq: number | undefined;
  toEnd: () => void;
  /** The person looks at something else now: nothing moves until they come back. */
  leave: () => void;
  /** The person folds something: nothing moves, unless the end is still there afterwards. */
  pause: () => void;
  onScroll: () => void;
}

/**
 * Keeps the newest in sight while the person is there, and never moves anything when they are not.
 *
 * Whoever goes up leaves the end, by whatever means: a wheel, the scrollbar, find in page, a screen reader. The list goes up by
 * itself only as far as its content has become shorter, when what was guessed is measured. After a key, a wheel or a finger the first
 * pixel counts: a smooth scroll begins with a few, and must not be undone by rows that are measured meanwhile.
 */
export function useEnd(
  scroller: RefObject<HTMLElement | null>,
  { count, isEnd, seq }: { count: number; isEnd: boolean; seq: number },
): End {
  const isHeld = useRef(true);
  const last = useRef<Place>({ top: 0, most: 0 });
  const [isInSight, setInSight] = useState(true);
  const [seenSeq, setSeenSeq] = useState<number>();

  const seqNow = useRef(seq);
  useLayoutEffect(() => {
    seqNow.current = seq;
  }, [seq]);
  const note = useCallback((isThere: boolean) => {
    setInSight(isThere);
    setSeenSeq((before) => (isThere ? undefined : (before ?? seqNow.current)));
  }, []);
  const hold = useCallback(() => {
    const box = scroller.current;
    if (box === null) return;
    box.scrollTo({ top: box.scrollHeight });
    last.current = placeIn(box);
  }, [scroller]);
  const leave = useCallback(() => {
    isHeld.current = false;
  }, []);
  const isGoingUp = useRef(false);
  const isPaused = useRef(false);
  const pause = useCallback(() => {
    isPaused.current ||= isHeld.current;
    isHeld.current = false;
  }, []);
  // Far from the end most rows have never been measured: as they are, the content changes its height, and the end is held again. The
  // list's own way to a row is not taken, because it goes on for as long as rows grow, to a row that is not the last one by then.
  const grownAt = useRef(-Infinity);
  const wasEnd = useRef(isEnd);
  useLayoutEffect(() => {
    if (wasEnd.current && !isEnd) grownAt.current = performance.now();
    wasEnd.current = isEnd;
  }, [isEnd]);
  useLayoutEffect(() => {
    if (isHeld.current && count > 0) hold();
  }, [count, hold]);
  const isEmpty = count === 0;
  // The content grows with what is said, and what stands below takes room of the box: a question, a notice, a long prompt.
  useEffect(() => {
    const box = scroller.current;
    if (box === null) return;
    const watch = new ResizeObserver(() => {
      const now = placeIn(box);
      const isThere = now.most - now.top <= NEAR;
      if (isPaused.current && isThere) isHeld.current = true;
      isPaused.current = false;
      if (isGoingUp.current && hasGoneUp(last.current, now, { isAsked: true })) isHeld.current = false;
      if (isHeld.current) hold();
      else note(isThere);
    });
    for (const watched of [box, ...box.children]) watch.observe(watched);
    return () => watch.disconnect();
  }, [scroller, hold, note, isEmpty]);
  useEffect(() => {
    const box = scroller.current;
    if (box === null) return;
    const asks = new AbortController();
    const on = { passive: true, signal: asks.signal };
    const goUp = () => {
      isGoingUp.current = true;
    };
    box.addEventListener('keydown', ({ key }) => KEYS_UP.has(key) && goUp(), on);
    box.addEventListener('wheel', ({ deltaY }) => deltaY < 0 && goUp(), on);
    box.addEventListener('touchstart', goUp, on);
    // The scrollbar is the box itself.
    box.addEventListener('pointerdown', ({ target }) => target === box && goUp(), on);
    return () => asks.abort();
  }, [scroller, isEmpty]);
  // A page that comes back from the background may have missed its frames.
  useEffect(() => {
    const back = () => void (isHeld.current && document.visibilityState === 'visible' && hold());
    document.addEventListener('visibilitychange', back);
    return () => document.removeEventListener('visibilitychange', back);
  }, [hold]);

  return {
    isInSight,
    seenSeq,
    toEnd() {
      isHeld.current = true;
      isGoingUp.current = false;
      hold();
      note(true);
    },
    leave,
    pause,
    onScroll() {
      const box = scroller.current;
      if (box === null) return;
      const now = placeIn(box);
      const before = last.current;
      last.current = now;
      const isThere = now.most - now.top <= NEAR;
      const isUp = hasGoneUp(before, now, { isAsked: isGoingUp.current });
      const isSettling = isHeld.current && !isGoingUp.current && performance.now() - grownAt.current < SETTLES_MS;
      if (isUp && isSettling) hold();
      else if (isUp && (isGoingUp.current || !isThere)) isHeld.current = false;
      else if (isThere && (now.top > before.top || !isGoingUp.current)) isHeld.current = true;
      else if (now.top < before.top && isHeld.current) hold();
      if (now.top > before.top) isGoingUp.current = false;
      if (isThere || !isHeld.current) note(isThere);
    },
  };
}

function placeIn(box: HTMLElement): Place {
  return { top: box.scrollTop, most: box.scrollHeight - box.clientHeight };
}
