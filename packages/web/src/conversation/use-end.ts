import { type RefObject, useCallback, useEffect, useLayoutEffect, useRef, useState } from 'react';
import type { VirtualizerHandle } from 'virtua';

/** So near to the end is at the end. */
const NEAR = 40;

/** A scroll so long after what the person did is theirs; any other one is the list's own, which measures as it goes. */
const THEIRS_MS = 1000;
const INPUTS = ['wheel', 'touchmove', 'pointerdown', 'pointermove', 'keydown'] as const;

/** How a conversation stands with its end. */
export interface End {
  /** The newest is in sight. */
  isInSight: boolean;
  /** How many rows came since the person looked elsewhere. */
  newBelow: number;
  toEnd: () => void;
  /** The person looks at something else now: nothing moves until they come back. */
  leave: () => void;
  /** The person folds something: nothing moves, unless the end is still there afterwards. */
  pause: () => void;
  onScroll: (offset: number) => void;
  onResize: () => void;
}

/**
 * Keeps the newest in sight while the person is there, and never moves anything when they are not.
 *
 * Only a person who goes up leaves the end: what is written there grows downwards, and the list corrects itself.
 */
export function useEnd(
  scroller: RefObject<HTMLElement | null>,
  list: RefObject<VirtualizerHandle | null>,
  count: number,
): End {
  const isHeld = useRef(true);
  const lastOffset = useRef(0);
  const [isInSight, setInSight] = useState(true);
  const [countAtLeave, setCountAtLeave] = useState<number>();

  const note = useCallback(
    (isThere: boolean) => {
      setInSight(isThere);
      setCountAtLeave((before) => (isThere ? undefined : (before ?? count)));
    },
    [count],
  );
  const hold = useCallback(() => {
    const box = scroller.current;
    box?.scrollTo({ top: box.scrollHeight });
  }, [scroller]);
  const leave = useCallback(() => {
    isHeld.current = false;
  }, []);
  const isPaused = useRef(false);
  const pause = useCallback(() => {
    isPaused.current ||= isHeld.current;
    isHeld.current = false;
  }, []);
  const distance = () => {
    const box = scroller.current;
    return box === null ? 0 : box.scrollHeight - box.scrollTop - box.clientHeight;
  };

  // Far from the end most rows have never been measured; the list goes there by itself and corrects on the way.
  const goThere = useCallback(() => {
    list.current?.scrollToIndex(Math.max(0, count - 1), { align: 'end' });
  }, [list, count]);
  const hasStarted = useRef(false);
  useLayoutEffect(() => {
    if (!isHeld.current || count === 0) return;
    if (hasStarted.current) hold();
    else goThere();
    hasStarted.current = true;
  }, [count, hold, goThere]);
  const lastInput = useRef(-Infinity);
  useEffect(() => {
    const box = scroller.current;
    const noteInput = () => void (lastInput.current = performance.now());
    for (const input of INPUTS) box?.addEventListener(input, noteInput, { passive: true });
    return () => {
      for (const input of INPUTS) box?.removeEventListener(input, noteInput);
    };
  }, [scroller]);
  // A page that comes back from the background may have missed its frames.
  useEffect(() => {
    const back = () => void (isHeld.current && document.visibilityState === 'visible' && hold());
    document.addEventListener('visibilitychange', back);
    return () => document.removeEventListener('visibilitychange', back);
  }, [hold]);

  return {
    isInSight,
    newBelow: countAtLeave === undefined ? 0 : Math.max(0, count - countAtLeave),
    toEnd() {
      isHeld.current = true;
      goThere();
      note(true);
    },
    leave,
    pause,
    onScroll(offset) {
      const isUp = offset < lastOffset.current - 1;
      lastOffset.current = offset;
      const isThere = distance() <= NEAR;
      if (isThere) isHeld.current = true;
      else if (isUp && performance.now() - lastInput.current < THEIRS_MS) isHeld.current = false;
      else if (isUp && isHeld.current) hold();
      if (isThere || !isHeld.current) note(isThere);
    },
    onResize() {
      const isThere = distance() <= NEAR;
      if (isPaused.current && isThere) isHeld.current = true;
      isPaused.current = false;
      if (isHeld.current) hold();
      else note(isThere);
    },
  };
}
