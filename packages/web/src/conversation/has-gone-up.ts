/** Heights are told in whole pixels, places are not. */
const ROUNDING = 2;
/** About five lines: a card that is folded up, a line that says what goes on. */
const LITTLE = 120;

/** How far a box is scrolled, and how far it could be. */
export interface Place {
  top: number;
  most: number;
}

/**
 * Whether a person went up, further than content that became shorter takes them. Content that became shorter and then longer before
 * anybody was told shows only the longer: there a little does not count, nor does the very beginning, where content leads that was
 * gone for a moment, unless the person asked for it with a key, a wheel or a finger.
 */
export function hasGoneUp(before: Place, now: Place, { isAsked }: { isAsked: boolean }): boolean {
  const isLonger = now.most > before.most && !isAsked;
  if (isLonger && now.top === 0) return false;
  const own = isLonger ? LITTLE : Math.max(0, before.most - now.most);
  return before.top - now.top > own + ROUNDING;
}
