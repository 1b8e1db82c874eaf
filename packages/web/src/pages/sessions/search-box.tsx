import { Search, X } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { IconButton } from '../../design/icon-button.tsx';
import { sessionsWords } from './sessions-words.ts';
import { useSearchText } from './use-search-text.ts';

/** Searches everything that was said. The key / leads here from anywhere on the page. */
export function SearchBox({ inForce, onSearch }: { inForce: string; onSearch: (text: string) => void }) {
  const words = sessionsWords.use();
  const [text, setText] = useSearchText(inForce, onSearch);
  const box = useRef<HTMLInputElement>(null);
  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
      event.preventDefault();
      box.current?.focus();
    };
    document.addEventListener('keydown', listen);
    return () => document.removeEventListener('keydown', listen);
  }, []);
  return (
    <div role="search" className="relative min-w-0 flex-1">
      <Search
        size={15}
        aria-hidden
        className="pointer-events-none absolute top-1/2 left-2.5 -translate-y-1/2 text-faint"
      />
      <input
        ref={box}
        type="text"
        inputMode="search"
        enterKeyHint="search"
        autoComplete="off"
        maxLength={500}
        aria-label={words.searchLabel}
        placeholder={words.searchPlaceholder}
        value={text}
        onChange={(event) => setText(event.target.value)}
        onKeyDown={(event) => {
          if (event.key !== 'Escape') return;
          if (text === '') box.current?.blur();
          else setText('');
        }}
        className="h-9 w-full rounded-md border border-line-strong bg-panel px-8 text-sm text-ink placeholder:text-faint pointer-coarse:text-lg"
      />
      {text !== '' && (
        <IconButton
          label={words.clearSearch}
          icon={<X size={15} aria-hidden />}
          className="absolute top-1/2 right-1 -translate-y-1/2"
          onClick={() => {
            setText('');
            box.current?.focus();
          }}
        />
      )}
    </div>
  );
}

function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName))
  );
}
