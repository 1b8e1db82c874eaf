import { useEffect, useLayoutEffect, useRef, useState } from 'react';
import { createPortal } from 'react-dom';
import { placeBeside } from './place-beside.ts';
import { watchPointed } from './watch-pointed.ts';

/** Shows the words of the one thing that is pointed at. One for the whole page: a page has hundreds of things with words. */
export function TooltipLayer() {
  const [anchor, setAnchor] = useState<HTMLElement>();
  const bubble = useRef<HTMLDivElement>(null);
  useEffect(() => watchPointed({ bubble, onChange: setAnchor }), []);
  useLayoutEffect(() => {
    if (anchor !== undefined && bubble.current !== null) placeBeside(anchor, bubble.current);
  }, [anchor]);
  if (anchor === undefined) return null;
  return createPortal(
    <div
      ref={bubble}
      role="tooltip"
      aria-hidden // It is the name of what is pointed at, which is read out already.
      className="contained fixed z-60 max-w-72 animate-fade-in rounded-md bg-ink px-2 py-1 text-xs whitespace-pre-line text-panel shadow-float"
    >
      {anchor.dataset.tooltip}
    </div>,
    document.body,
  );
}
