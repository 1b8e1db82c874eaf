import { useEffect, useRef } from 'react';
import { visibleText } from '../code/visible-text.ts';
import { classNames } from '../design/class-names.ts';
import { composerWords } from './composer-words.ts';
import type { Completion } from './use-completions.tsx';

interface CompletionListProps {
  id: string;
  items: readonly Completion[];
  isLooking: boolean;
  active: number;
  /** Where there is more room below the text than above it. */
  isBelow: boolean;
  onChoose: (item: Completion) => void;
  onPoint: (index: number) => void;
}

/** What can be put where the caret is. The focus stays in the text, which names the row that Enter takes. */
export function CompletionList({ id, items, isLooking, active, isBelow, onChoose, onPoint }: CompletionListProps) {
  const words = composerWords.use();
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => {
    list.current?.children[active]?.scrollIntoView({ block: 'nearest' });
  }, [active]);
  return (
    <div
      className={classNames(
        'absolute right-0 left-0 z-20 overflow-hidden rounded-lg border border-line bg-panel shadow-float',
        isBelow ? 'top-full mt-1' : 'bottom-full mb-1',
      )}
    >
      <p role="status" className={items.length > 0 ? 'sr-only' : 'px-3 py-2 text-xs text-faint'}>
        {items.length > 0 ? words.suggestionCount(items.length) : isLooking ? words.looking : words.noMatch}
      </p>
      <div
        ref={list}
        id={id}
        role="listbox"
        aria-label={words.suggestions}
        className={classNames('max-h-64 overflow-y-auto p-1', items.length === 0 && 'hidden')}
      >
        {items.map((item, index) => (
          <button
            key={item.id}
            id={optionId(id, index)}
            type="button"
            role="option"
            tabIndex={-1}
            aria-selected={index === active}
            // The press must not take the focus from the text.
            onMouseDown={(event) => event.preventDefault()}
            onMouseMove={() => onPoint(index)}
            onClick={() => onChoose(item)}
            className={classNames(
              'flex w-full items-center gap-2 rounded-md px-2 py-1 text-left text-sm',
              index === active && 'bg-hover',
            )}
          >
            <span className="shrink-0 text-faint">{item.icon}</span>
            <span className="contained min-w-0 shrink truncate" title={visibleText(item.text)}>
              {visibleText(item.text)}
            </span>
            {item.about !== undefined && (
              <span className="contained ml-auto min-w-0 shrink truncate pl-3 text-xs text-faint">
                {visibleText(item.about)}
              </span>
            )}
          </button>
        ))}
      </div>
    </div>
  );
}

/** The id of a row, as the text refers to it. */
export function optionId(listId: string, index: number): string {
  return `${listId}-${index}`;
}
