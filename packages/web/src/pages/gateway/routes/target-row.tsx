import { ArrowDown, ArrowUp, GripVertical, X } from 'lucide-react';
import type { KeyboardEvent, PointerEvent } from 'react';
import { useAction } from '../../../api/calls.ts';
import { Button } from '../../../design/button.tsx';
import { classNames } from '../../../design/class-names.ts';
import { IconButton } from '../../../design/icon-button.tsx';
import { useCommonWords } from '../../../words/common-words.ts';
import { TestOutcome } from '../problem/test-outcome.tsx';
import { routesWords } from './routes-words.ts';

interface TargetRowProps {
  target: string;
  place: number;
  count: number;
  isDragged: boolean;
  onMove: (by: -1 | 1) => void;
  onDrag: (event: PointerEvent) => void;
  onTake: () => void;
}

const MOVES: Readonly<Record<string, -1 | 1 | undefined>> = { ArrowUp: -1, ArrowDown: 1 };

/** A target of a route that is edited: moved by buttons, arrow keys or dragging, tested and taken out. */
export function TargetRow({ target, place, count, isDragged, onMove, onDrag, onTake }: TargetRowProps) {
  const words = routesWords.use();
  const common = useCommonWords();
  const test = useAction('testModel', { changes: ['readGateway'] });
  const slash = target.indexOf('/');
  const moveByKey = (event: KeyboardEvent) => {
    const by = MOVES[event.key];
    if (by === undefined) return;
    event.preventDefault();
    onMove(by);
  };
  // A button at the end of its way keeps the focus: it does nothing there, but is not taken away.
  const end = { 'aria-disabled': true, className: 'opacity-40' };
  return (
    <li
      className={classNames('flex flex-col gap-1.5 bg-panel px-1.5 py-1', isDragged && 'relative z-10 bg-accent-wash')}
    >
      <div className="flex flex-wrap items-center gap-0.5">
        <IconButton
          label={words.drag(target)}
          icon={<GripVertical size={15} aria-hidden />}
          className="cursor-grab touch-none"
          onPointerDown={onDrag}
          onKeyDown={moveByKey}
        />
        <span aria-hidden className="w-5 text-center text-xs text-faint tabular-nums">
          {place}
        </span>
        <span className="contained flex-1 basis-40 font-mono text-xs">{target}</span>
        <div className="flex items-center gap-0.5">
          <Button
            size="small"
            look="quiet"
            isBusy={test.isPending}
            aria-label={words.testOf(target)}
            onClick={() => test.mutate({ provider: target.slice(0, slash), model: target.slice(slash + 1) })}
          >
            {common.test}
          </Button>
          <IconButton
            label={words.up(target)}
            icon={<ArrowUp size={15} aria-hidden />}
            onClick={() => onMove(-1)}
            {...(place === 1 && end)}
          />
          <IconButton
            label={words.down(target)}
            icon={<ArrowDown size={15} aria-hidden />}
            onClick={() => onMove(1)}
            {...(place === count && end)}
          />
          <IconButton label={words.take(target)} icon={<X size={15} aria-hidden />} onClick={onTake} />
        </div>
      </div>
      <TestOutcome test={test} />
    </li>
  );
}
