/** How large a part of the page is in sight, and how far it is enlarged; what browsers tell of it. */
export type SeenPart = Pick<VisualViewport, 'height' | 'offsetTop' | 'scale'>;

/** A bar of the browser that comes and goes is no keyboard. */
const LEAST_KEYBOARD = 120;

/** How much of the page's lower end is under a keyboard on the screen. Who enlarges the page covers nothing. */
export function coveredHeight(pageHeight: number, { height, scale }: SeenPart): number {
  const hidden = pageHeight - height;
  return scale > 1.01 || hidden < LEAST_KEYBOARD ? 0 : Math.round(hidden);
}

/**
 * Keeps what is at the lower end of the page, such as where prompts are written, above the keyboard. Most browsers make the page smaller
 * by themselves (`interactive-widget` in index.html); Safari lays the keyboard over it, and moves the page up to show what is written.
 */
export function keepAboveKeyboard(): void {
  const seen = window.visualViewport;
  if (seen === null) return;
  const fit = () => {
    const covered = coveredHeight(window.innerHeight, seen);
    document.documentElement.style.setProperty('--covered', `${covered}px`);
    if (covered > 0 && seen.offsetTop > 0) window.scrollTo(0, 0);
  };
  seen.addEventListener('resize', fit);
  seen.addEventListener('scroll', fit);
}
