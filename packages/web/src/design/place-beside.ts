const GAP = 6;
/** So far from the edges of the window it stays. */
const MARGIN = 8;

/** Puts a small box above something or to its right, where there is room, and on the other side where there is none. */
export function placeBeside(anchor: HTMLElement, box: HTMLElement): void {
  const at = anchor.getBoundingClientRect();
  box.style.inset = '0 auto auto 0'; // As wide as it wants to be, wherever it was before.
  const { offsetWidth: width, offsetHeight: height } = box;
  const isBeside = anchor.dataset.side === 'right';
  const [left, top] = isBeside
    ? [side(at.right + GAP, at.left - GAP - width, innerWidth - width), (at.top + at.bottom - height) / 2]
    : [(at.left + at.right - width) / 2, side(at.top - GAP - height, at.bottom + GAP, innerHeight - height)];
  box.style.left = `${within(left, innerWidth - width)}px`;
  box.style.top = `${within(top, innerHeight - height)}px`;
}

function side(wanted: number, other: number, most: number): number {
  return wanted >= MARGIN && wanted <= most - MARGIN ? wanted : other;
}

function within(place: number, most: number): number {
  return Math.max(MARGIN, Math.min(place, most - MARGIN));
}
