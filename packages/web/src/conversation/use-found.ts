import { type RefObject, useEffect } from 'react';

/** What was looked for, and where the place is that is shown. */
export interface Found {
  text: string;
  rowKey: string;
  /** The innermost part that was folded out for it. */
  piece: string | undefined;
  /** Which of the same words in there. */
  nth: number;
}

const MAX_RANGES = 2000;
/** The list goes on looking for the beginning of the row for a moment, while heights become known; then words have their turn. */
const SETTLED_MS = 400;

/**
 * Marks what was looked for wherever it is drawn, without changing what is drawn, and brings the words into sight that are
 * meant. Browsers that cannot do that have the frame around the row.
 */
export function useFoundMarks(scroller: RefObject<HTMLElement | null>, found: Found | undefined): void {
  useEffect(() => {
    const box = scroller.current;
    if (box === null || found === undefined || found.text === '' || !('highlights' in CSS)) return;
    let frame: number | undefined;
    let isShown = false;
    let settled: ReturnType<typeof setTimeout> | undefined;
    const mark = () => {
      frame = undefined;
      const ranges = rangesOf(box, found.text);
      CSS.highlights.set('found', new Highlight(...ranges));
      const place = placeOf(box, found);
      const inPlace = ranges.filter((range) => place?.contains(range.startContainer) === true);
      // What is drawn may have fewer of them than what was written, such as the address of a link.
      const here = inPlace[found.nth] ?? inPlace.at(-1);
      CSS.highlights.set('found-here', new Highlight(...(here === undefined ? [] : [here])));
      if (here === undefined || isShown) return;
      isShown = true;
      bringIntoSight(box, here);
      settled = setTimeout(() => bringIntoSight(box, here), SETTLED_MS);
    };
    const later = () => void (frame ??= requestAnimationFrame(mark));
    later();
    const observer = new MutationObserver(later);
    observer.observe(box, { childList: true, subtree: true, characterData: true });
    return () => {
      observer.disconnect();
      clearTimeout(settled);
      if (frame !== undefined) cancelAnimationFrame(frame);
      CSS.highlights.delete('found');
      CSS.highlights.delete('found-here');
    };
  }, [scroller, found]);
}

function placeOf(box: HTMLElement, { rowKey, piece }: Found): Element | null {
  const inner = piece === undefined ? null : box.querySelector(`[data-piece="${CSS.escape(piece)}"]`);
  return inner ?? box.querySelector(`[data-row="${CSS.escape(rowKey)}"]`);
}

/** Words may be in several pieces of colour: they are looked for in the text of a block as a whole. */
function rangesOf(box: HTMLElement, text: string): Range[] {
  const wanted = text.trim().toLowerCase();
  const ranges: Range[] = [];
  const walker = document.createTreeWalker(box, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node !== null && ranges.length < MAX_RANGES; node = walker.nextNode()) {
    const content = (node.nodeValue ?? '').toLowerCase();
    if (content.length !== node.nodeValue?.length) continue;
    for (let at = content.indexOf(wanted); at !== -1; at = content.indexOf(wanted, at + wanted.length)) {
      const range = new Range();
      range.setStart(node, at);
      range.setEnd(node, at + wanted.length);
      ranges.push(range);
    }
  }
  return ranges;
}

/** What is in a box that scrolls by itself comes into sight there too. */
function bringIntoSight(box: HTMLElement, range: Range): void {
  const inner = range.startContainer.parentElement;
  const [view, words] = [box.getBoundingClientRect(), range.getBoundingClientRect()];
  if (words.top >= view.top && words.bottom <= view.bottom && inner?.closest('.overflow-y-auto') === box) return;
  inner?.scrollIntoView({ block: 'center' });
}
