import { type Dispatch, type RefObject, type SetStateAction, useLayoutEffect, useState } from 'react';
import type { VirtualizerHandle } from 'virtua';
import { findPlaces, type Place, placeOfSeq } from './find-places.ts';
import type { OpenState } from './open-state.ts';
import type { Row } from '@dragoman/protocol';
import type { End } from './use-end.ts';
import { type Found, useFoundMarks } from './use-found.ts';

/** How many places hold what was looked for, and which of them is shown: from 1; 0 where there is none. */
export interface FoundPlaces {
  count: number;
  index: number;
}

/** What the page around a conversation can ask of it. */
export interface ConversationHandle {
  /** Shows the newest, and stays there. */
  toEnd: () => void;
  /** Shows the last prompt; called again, the one before it. */
  toLastPrompt: () => void;
  /** Shows what the event with this number is about. */
  toSeq: (seq: number) => void;
  /** Looks for a text everywhere and shows the newest place; an empty text ends it. `index` counts from 1. */
  find: (text: string) => FoundPlaces;
  next: () => FoundPlaces;
  previous: () => FoundPlaces;
}

interface Parts {
  rows: readonly Row[];
  scroller: RefObject<HTMLElement | null>;
  list: RefObject<VirtualizerHandle | null>;
  end: End;
  openState: OpenState;
}

/** Room above what is shown, so that it does not stick to the edge. */
const ABOVE = 24;
/** A place that was jumped to stands out for so long. */
const SHOWN_MS = 2500;
const NOTHING: FoundPlaces = { count: 0, index: 0 };

/** Moves a conversation to a place: the same handle for as long as it is there. */
export function useConversationHandle(parts: Parts): { handle: ConversationHandle; found: Found | undefined } {
  const [found, setFound] = useState<Found>();
  const [handle] = useState(() => makeHandle(setFound));
  useLayoutEffect(() => handle.update(parts));
  useFoundMarks(parts.scroller, found);
  return { handle, found };
}

function makeHandle(setFound: Dispatch<SetStateAction<Found | undefined>>): ConversationHandle & {
  update: (parts: Parts) => void;
} {
  let newest: Parts | undefined;
  let search: { text: string; place: Place | undefined } | undefined;

  const show = (place: Place, text: string) => {
    if (newest === undefined) return;
    const { rows, list, end, openState } = newest;
    end.leave();
    for (const key of place.opens) openState.set(key, true);
    const index = rows.findIndex(({ key }) => key === place.rowKey);
    list.current?.scrollToIndex(index, { align: 'start', offset: -ABOVE });
    const shown: Found = { text, rowKey: place.rowKey, piece: place.opens.at(-1), nth: place.nth };
    setFound(shown);
    if (text === '') setTimeout(() => setFound((now) => (now === shown ? undefined : now)), SHOWN_MS);
  };
  const step = (by: 1 | -1): FoundPlaces => {
    if (search === undefined) return NOTHING;
    // What was said since is looked at too.
    const places = findPlaces(newest?.rows ?? [], search.text);
    if (places.length === 0) return NOTHING;
    const at = places.findIndex((place) => isSamePlace(place, search?.place));
    const next = at === -1 ? places.length - 1 : (at + by + places.length) % places.length;
    search.place = places[next]!;
    show(places[next]!, search.text);
    return { count: places.length, index: next + 1 };
  };
  return {
    update(parts) {
      newest = parts;
    },
    toEnd: () => newest?.end.toEnd(),
    toLastPrompt() {
      if (newest === undefined) return;
      const { rows, list, end } = newest;
      const handle = list.current;
      if (handle === null) return;
      const top = end.isInSight ? rows.length : handle.findItemIndex(handle.scrollOffset + ABOVE + 1);
      const before = rows.findLastIndex(({ type }, index) => type === 'prompt' && index < top);
      const index = before === -1 ? rows.findIndex(({ type }) => type === 'prompt') : before;
      const row = rows[index];
      if (row !== undefined) show({ rowKey: row.key, opens: [], nth: 0 }, '');
    },
    toSeq(seq) {
      const place = placeOfSeq(newest?.rows ?? [], seq);
      if (place !== undefined) show(place, '');
    },
    find(text) {
      if (text.trim() === '') {
        search = undefined;
        setFound(undefined);
        return NOTHING;
      }
      // While a text is typed on, the place stays as long as it fits.
      search = { text, place: search?.place };
      const places = findPlaces(newest?.rows ?? [], text);
      const kept = places.findIndex((place) => isSamePlace(place, search?.place));
      const index = kept === -1 ? places.length - 1 : kept;
      const place = places[index];
      search.place = place;
      if (place === undefined) setFound(undefined);
      else show(place, text);
      return { count: places.length, index: index + 1 };
    },
    next: () => step(1),
    previous: () => step(-1),
  };
}

function isSamePlace(one: Place, other: Place | undefined): boolean {
  return one.rowKey === other?.rowKey && one.opens.at(-1) === other.opens.at(-1) && one.nth === other.nth;
}
