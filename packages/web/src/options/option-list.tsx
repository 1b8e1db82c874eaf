import { Check } from 'lucide-react';
import { type KeyboardEvent, useEffect, useId, useRef, useState } from 'react';
import { visibleText } from '../code/visible-text.ts';
import { classNames } from '../design/class-names.ts';
import { optionWords } from './option-words.ts';
import type { Option } from './option.ts';
import { rankOptions } from './rank-options.ts';

interface OptionListProps {
  label: string;
  options: readonly Option[];
  onChoose: (id: string) => void;
  /** The field above the list; without it the list itself has the focus. */
  placeholder?: string | undefined;
  /** What can be done with a text that is no option: it is chosen as its own id. */
  otherwise?: ((typed: string) => string) | undefined;
}

/** Options to choose from, found by their words. The focus stays where it is; arrow keys move, Enter chooses. */
export function OptionList({ label, options, onChoose, placeholder, otherwise }: OptionListProps) {
  const words = optionWords.use();
  const id = useId();
  const list = useRef<HTMLDivElement>(null);
  const [typed, setTyped] = useState('');
  const [pointed, setPointed] = useState({ in: '', at: options.findIndex(({ isChosen }) => isChosen === true) });
  const shown = withOther(rankOptions(options, typed), typed.trim(), otherwise);
  const active = pointed.in === typed ? Math.max(0, Math.min(pointed.at, shown.length - 1)) : 0;
  useEffect(() => {
    list.current?.querySelector('[aria-selected=true]')?.scrollIntoView({ block: 'nearest' });
  }, [active, typed]);

  const press = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing || event.ctrlKey || event.metaKey || event.altKey || shown.length === 0) return;
    const to = {
      ArrowDown: (active + 1) % shown.length,
      ArrowUp: (active - 1 + shown.length) % shown.length,
      ...(placeholder === undefined && { Home: 0, End: shown.length - 1 }),
    }[event.key];
    if (to !== undefined) setPointed({ in: typed, at: to });
    else if (event.key === 'Enter') onChoose(shown[active]!.id);
    else return;
    event.preventDefault();
  };
  const focus = {
    'aria-label': label,
    'aria-activedescendant': shown.length === 0 ? undefined : `${id}-${active}`,
    onKeyDown: press,
  };

  return (
    <div className="flex min-h-0 flex-col gap-1.5">
      {placeholder !== undefined && (
        <input
          type="text"
          role="combobox"
          aria-expanded
          aria-controls={id}
          aria-autocomplete="list"
          autoComplete="off"
          spellCheck={false}
          value={typed}
          placeholder={placeholder}
          onChange={({ target }) => setTyped(target.value)}
          className="h-8 w-full shrink-0 rounded-md border border-line-strong bg-panel px-2.5 text-sm placeholder:text-faint pointer-coarse:text-lg"
          {...focus}
        />
      )}
      <p role="status" className={shown.length === 0 ? 'px-2 py-3 text-faint' : 'sr-only'}>
        {shown.length === 0 ? words.none : typed === '' ? '' : words.count(shown.length)}
      </p>
      <div
        ref={list}
        id={id}
        role="listbox"
        aria-label={label}
        {...(placeholder === undefined && { tabIndex: 0, ...focus })}
        className={classNames('max-h-72 overflow-y-auto rounded-md -outline-offset-2', shown.length === 0 && 'hidden')}
      >
        {shown.map((option, index) => (
          <div key={option.id} role="presentation">
            {typed === '' && option.group !== undefined && option.group !== shown[index - 1]?.group && (
              <p role="presentation" className="px-2 pt-2 pb-1 text-xs text-faint">
                {option.group}
              </p>
            )}
            <Row
              id={`${id}-${index}`}
              option={option}
              isActive={index === active}
              onChoose={() => onChoose(option.id)}
              onPoint={() => index !== active && setPointed({ in: typed, at: index })}
            />
          </div>
        ))}
      </div>
    </div>
  );
}

interface RowProps {
  id: string;
  option: Option;
  isActive: boolean;
  onChoose: () => void;
  onPoint: () => void;
}

function Row({ id, option, isActive, onChoose, onPoint }: RowProps) {
  return (
    <button
      type="button"
      id={id}
      role="option"
      tabIndex={-1}
      aria-selected={isActive}
      // The press must not take the focus from where the keys are heard.
      onMouseDown={(event) => event.preventDefault()}
      onMouseMove={onPoint}
      onClick={onChoose}
      className={classNames(
        'flex w-full items-center gap-2 rounded-md px-2 py-1.5 text-left text-sm',
        isActive && 'bg-hover',
      )}
    >
      {option.icon !== undefined && <span className="flex shrink-0 text-faint">{option.icon}</span>}
      <span className="contained min-w-0 flex-1">
        <span className="block truncate" title={visibleText(option.text)}>
          {visibleText(option.text)}
        </span>
        {option.about !== undefined && (
          <span className="block truncate text-xs text-faint">{visibleText(option.about)}</span>
        )}
      </span>
      {option.end}
      {option.isChosen === true && <Check size={14} aria-hidden className="shrink-0 text-accent" />}
    </button>
  );
}

function withOther(
  found: readonly Option[],
  typed: string,
  otherwise: ((typed: string) => string) | undefined,
): readonly Option[] {
  if (otherwise === undefined || typed === '' || found.some(({ id }) => id === typed)) return found;
  return [...found, { id: typed, text: otherwise(typed) }];
}
