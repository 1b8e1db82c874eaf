import { useContext, useSyncExternalStore } from 'react';
import { type OpenState, OpenStateContext } from './open-state.ts';
import type { Call } from '@dragoman/protocol';

/** The part of a list of calls that is drawn, and how to draw more of it. */
export interface ShownCalls {
  calls: readonly Call[];
  /** How many the next press would add; none where all are there. */
  next: number;
  left: number;
  showMore: () => void;
}

/** So many are drawn at once; a card is some twenty elements, and there may be thousands of calls. */
const FIRST = 50;

/**
 * The first calls of a list. Those further down that somebody opened or was led to, that run or that ask are there all the
 * same. How much is shown is kept with what is folded out, because rows come and go as one scrolls.
 */
export function useShownCalls(calls: readonly Call[]): ShownCalls {
  const state = useContext(OpenStateContext);
  const most = useSyncExternalStore(
    state.subscribe,
    () => mostShown(state, calls),
    () => mostShown(state, calls),
  );
  const further = useSyncExternalStore(
    state.subscribe,
    () => furtherShown(state, calls, most),
    () => furtherShown(state, calls, most),
  );
  if (calls.length <= most) return { calls, next: 0, left: 0, showMore: () => {} };
  const extra = further === '' ? [] : further.split(' ').map((index) => calls[Number(index)]!);
  const left = calls.length - most - extra.length;
  return {
    calls: [...calls.slice(0, most), ...extra],
    next: Math.min(most, left),
    left,
    showMore: () => state.fold(moreKey(calls, most), true),
  };
}

/** Each press shows twice as many as before. */
function mostShown(state: OpenState, calls: readonly Call[]): number {
  let most = FIRST;
  while (most < calls.length && state.get(moreKey(calls, most)) === true) most *= 2;
  return most;
}

function moreKey(calls: readonly Call[], most: number): string {
  return `more ${calls[0]?.id} ${most}`;
}

/** Places as one text, so that the same ones are the same value. */
function furtherShown(state: OpenState, calls: readonly Call[], most: number): string {
  const places: number[] = [];
  for (let index = most; index < calls.length; index += 1)
    if (state.get(`call ${calls[index]!.id}`) === true || isGoingOn(calls[index]!)) places.push(index);
  return places.join(' ');
}

function isGoingOn({ tool, children }: Call): boolean {
  return tool?.status === 'Running' || tool?.status === 'Waiting' || children.some(isGoingOn);
}
