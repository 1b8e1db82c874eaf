import { type PointerEvent, useRef, useState } from 'react';
import { moved } from './route-draft.ts';
import { routesWords } from './routes-words.ts';
import { TargetRow } from './target-row.tsx';

interface TargetListProps {
  targets: readonly string[];
  onChange: (change: (targets: readonly string[]) => readonly string[]) => void;
}

/** The targets of a route in their order, which people change. */
export function TargetList({ targets, onChange }: TargetListProps) {
  const words = routesWords.use();
  const list = useRef<HTMLOListElement>(null);
  const [dragged, setDragged] = useState<string>();
  const [moveSaid, setMoveSaid] = useState('');

  const move = (target: string, by: -1 | 1) => {
    const to = targets.indexOf(target) + by;
    if (to < 0 || to >= targets.length) return;
    onChange((before) => moved(before, before.indexOf(target), to));
    setMoveSaid(words.nowAt(target, to + 1, targets.length));
  };
  // The row moves in the document while it is dragged, so the document listens and not the row.
  const drag = (target: string, event: PointerEvent) => {
    if (event.button !== 0) return;
    event.preventDefault();
    setDragged(target);
    const over = new AbortController();
    const { signal } = over;
    const end = () => {
      over.abort();
      setDragged(undefined);
    };
    document.addEventListener(
      'pointermove',
      ({ clientY }) => {
        const to = placeAt(list.current, clientY);
        if (to !== undefined) onChange((before) => moved(before, before.indexOf(target), to));
      },
      { signal },
    );
    document.addEventListener('pointerup', end, { signal });
    document.addEventListener('pointercancel', end, { signal });
  };

  return (
    <>
      <ol
        ref={list}
        aria-label={words.targets}
        className="divide-y divide-line rounded-md border border-line empty:hidden"
      >
        {targets.map((target, index) => (
          <TargetRow
            key={target}
            target={target}
            place={index + 1}
            count={targets.length}
            isDragged={target === dragged}
            onMove={(by) => move(target, by)}
            onDrag={(event) => drag(target, event)}
            onTake={() => onChange((before) => before.filter((one) => one !== target))}
          />
        ))}
      </ol>
      <p aria-live="polite" className="sr-only">
        {moveSaid}
      </p>
    </>
  );
}

/** Which row is at that height; the first or last one beyond the ends. */
function placeAt(list: HTMLOListElement | null, y: number): number | undefined {
  if (list === null || list.children.length === 0) return undefined;
  const below = [...list.children].findIndex((row) => row.getBoundingClientRect().bottom > y);
  return below === -1 ? list.children.length - 1 : below;
}
